/*
 * parse_inside.h -- shared by the files that implement parse.h.
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
	struct flow_faults *faults;
	struct span node; /* id of the node being read, or empty */
};

/* The longest name of a member, with its NUL; the most members. */
enum { MEMBER_NAME = 12, MEMBERS_MAX = 24 };

/* The members that an object may have, and their values. */
struct member_list {
	const char *what; /* for messages: "a node" */
	const char (*names)[MEMBER_NAME];
	size_t n;
	struct span *values; /* value.p is NULL if it is absent */
};

/* Add a fault at AT, a place in the text.  NULL ends the list of strings. */
__attribute__((sentinel)) void parse_fault(
    struct parser *parser, const char *at, ...);

/*
 * Fill LIST from OBJECT.  False if it is not an object.  Unknown and repeated
 * names are faults.
 */
bool parse_members(
    struct parser *parser, struct span object, struct member_list *list);

/* Read the value of MEMBER, if it is there.  Another type is a fault. */
void parse_string(struct parser *parser, const char *member, struct span value,
    struct span *text);
void parse_bool(
    struct parser *parser, const char *member, struct span value, bool *truth);
void parse_object(struct parser *parser, const char *member, struct span value,
    struct span *object);
/* Read a string, or an array of strings.  Anything else is a fault. */
void parse_names(struct parser *parser, const char *member, struct span value,
    struct names *names);

/* Read one node.  node->id is empty if it has no valid id. */
void parse_node(struct parser *parser, struct span value, struct node *node);

#endif
