/*
 * parse_inside.h -- what the files behind parse.h share.
 */
#ifndef READCACHE_WORK_WORKFLOW_PARSE_INSIDE_H
#define READCACHE_WORK_WORKFLOW_PARSE_INSIDE_H

#include "json/json.h"
#include "work/workflow/parse.h"

struct parser {
	struct arena *arena;
	struct json_doc doc;
	struct span file;
	struct workflow *workflow;
	struct mistakes *mistakes;
	struct span node; /* the id of the one that is read, or empty */
};

/* The longest name of a member, with its NUL. */
enum { MEMBER_NAME = 12, MEMBERS_MAX = 24 };

/* The members an object may have, and where their values are put. */
struct member_list {
	const char *what; /* "a node": for messages */
	const char (*names)[MEMBER_NAME];
	size_t n;
	struct span *values; /* value.p is NULL when it is not there */
};

/* Note a mistake at AT. */
__attribute__((sentinel)) void parse_mistake(
    struct parser *parser, const char *at, ...);

/* Fill LIST from OBJECT; false if it is no object, unknown names are told. */
bool parse_members(
    struct parser *parser, struct span object, struct member_list *list);

/* MEMBER's value, if it is there.  What is of another kind is told. */
void parse_string(struct parser *parser, const char *member, struct span value,
    struct span *text);
void parse_bool(
    struct parser *parser, const char *member, struct span value, bool *truth);
void parse_object(struct parser *parser, const char *member, struct span value,
    struct span *object);
/* A string, or an array of strings. */
void parse_names(struct parser *parser, const char *member, struct span value,
    struct names *names);

/* Read one node; node->id is empty if it has none that can be used. */
void parse_node(struct parser *parser, struct span value, struct node *node);

#endif
