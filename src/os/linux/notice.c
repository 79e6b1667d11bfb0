#include "os/notice.h"

#include <errno.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "os/descriptor.h"

#define MOVES (IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
#define SELF (IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)

int
notice_open(void)
{
	return inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

int
notice_names(int fd, int dir)
{
	char link[DESCRIPTOR_PATH];

	(void)descriptor_path(dir, link);
	return inotify_add_watch(
	    fd, link, IN_CREATE | MOVES | SELF | IN_MASK_ADD | IN_ONLYDIR);
}

/* IN_MASK_ADD: it may be watched for its names too. */
int
notice_self(int fd, const char *name)
{
	return inotify_add_watch(
	    fd, name, SELF | IN_MASK_ADD | IN_ONLYDIR | IN_DONT_FOLLOW);
}

/* Read some more.  False if there are none: errno says why, 0 at an end. */
static bool
read_more(struct notices *notices)
{
	ssize_t got;

	errno = 0;
	got = read(notices->fd, notices->room, sizeof(notices->room));
	notices->at = 0;
	notices->n = got > 0 ? (size_t)got : 0;
	return got > 0;
}

int
notice_next(struct notices *notices, struct notice *notice)
{
	const struct inotify_event *event;

	if (notices->at >= notices->n && !read_more(notices))
		return errno == EAGAIN ? 0 : -1;
	event = (const void *)(notices->room + notices->at);
	notices->at += sizeof(*event) + event->len;
	*notice = (struct notice){
	    .number = (event->mask & IN_Q_OVERFLOW) != 0 ? -1 : event->wd,
	    .name = event->len > 0 ? event->name : "",
	    .moved = (event->mask & MOVES) != 0,
	    .self = (event->mask & SELF) != 0};
	return 1;
}
