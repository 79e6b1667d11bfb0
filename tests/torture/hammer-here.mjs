// The hammer in a place that only a process of its own can see, or be: a small
// disk, a read-only one, another user. Its argument says where and how much.
import { hammer, reads } from "./hammer.mjs";

await hammer({ ...JSON.parse(process.argv[2]), beside: [reads] });
