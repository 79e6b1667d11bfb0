/*
 * links -- link every file of one flat directory into a new one.
 *
 *	links FROM TO
 *
 * What bringing a directory back by hardlinks costs at the least.
 */
#include <dirent.h>
#include <err.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	const struct dirent *entry;
	DIR *dir;
	int to;

	if (argc != 3)
		errx(2, "usage: links FROM TO");
	dir = opendir(argv[1]);
	if (dir == NULL || mkdir(argv[2], 0777) != 0)
		err(1, "%s", dir == NULL ? argv[1] : argv[2]);
	to = open(argv[2], O_RDONLY | O_DIRECTORY);
	if (to < 0)
		err(1, "%s", argv[2]);
	while ((entry = readdir(dir)) != NULL)
		if (entry->d_type == DT_REG &&
		    linkat(dirfd(dir), entry->d_name, to, entry->d_name, 0) !=
			0)
			err(1, "%s", entry->d_name);
	return 0;
}
