#include "work/workflow/shell_text.h"

#define HINT "; put it into a variable at the beginning: x=\"${...}\""

enum level_kind {
	LEVEL_PLAIN,  /* commands: the whole text, or $(...) */
	LEVEL_TICKS,  /* `...` */
	LEVEL_SINGLE, /* '...' */
	LEVEL_DOUBLE, /* "..." */
	LEVEL_BRACES, /* ${...} of the shell itself */
	LEVEL_NUMBER, /* $((...)) */
	LEVEL_COMMENT,
	LEVEL_HERE /* the body of a here-document */
};

/* A here-document <<END: its body begins at the next line. */
struct here {
	struct span end;
	bool is_quoted; /* nothing in it is expanded */
	bool has_tabs;	/* <<-: leading tabs do not count */
	size_t depth;	/* number of levels where it began */
};

struct level {
	enum level_kind kind;
	size_t parens;	  /* open in it */
	bool is_dollared; /* $'...' */
	bool in_double;	  /* braces, ticks: inside of double quotes */
	struct here here;
};

struct shell_reader {
	struct arena *arena;
	struct span text;
	size_t at;
	struct level *levels;
	size_t n, room;
	struct here *heres; /* here-documents whose bodies are to come */
	size_t nheres, heres_room;
	bool at_word, at_command, at_line; /* one begins here */
	const char *lost; /* why nothing can be said any more */
	struct shell_place *next;
};

static struct level *
top(struct shell_reader *r)
{
	return &r->levels[r->n - 1];
}

static struct level *
push(struct shell_reader *r, enum level_kind kind)
{
	r->levels =
	    arena_more(r->arena, r->levels, r->n, &r->room, sizeof(*r->levels));
	r->levels[r->n] = (struct level){.kind = kind};
	return &r->levels[r->n++];
}

static void
pop(struct shell_reader *r)
{
	r->n--;
	r->at_word = r->at_command = false;
}

/* The byte K after this one; a newline after the end. */
static char
peek(const struct shell_reader *r, size_t k)
{
	return r->at + k < r->text.n ? r->text.p[r->at + k] : '\n';
}

static void
lose(struct shell_reader *r, const char *why)
{
	if (r->lost == NULL)
		r->lost = why;
}

/*
 * Does the line go on after a backslash at K?  To the shell both bytes are not
 * there.
 */
static bool
is_joined(const struct shell_reader *r, size_t k)
{
	return r->at + k + 1 < r->text.n && peek(r, k) == '\\' &&
	       peek(r, k + 1) == '\n';
}

/* Bytes that mean something together are on two lines. */
static void
lose_joined(struct shell_reader *r)
{
	lose(r, "before it a line ends with a backslash in the middle of a "
		"word or sign of the shell; write it on one line.");
}

/* Is C the byte at K, but on a line that is joined there? */
static bool
is_split(const struct shell_reader *r, size_t k, char c)
{
	bool joined = is_joined(r, k);

	while (is_joined(r, k))
		k += 2;
	return joined && peek(r, k) == c;
}

static bool
is_inside(const struct shell_reader *r, enum level_kind kind)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->levels[i].kind == kind)
			return true;
	return false;
}

/* ---- values ---- */

/* Is this place in arithmetic, perhaps inside of braces? */
static bool
is_calculated(const struct shell_reader *r)
{
	size_t i = r->n - 1;

	while (r->levels[i].kind == LEVEL_BRACES)
		i--;
	return r->levels[i].kind == LEVEL_NUMBER;
}

static const char *
fault_here(struct shell_reader *r)
{
	const struct level *level = top(r);

	if (r->lost != NULL)
		return r->lost;
	if (level->kind == LEVEL_HERE && level->here.is_quoted)
		return "it stands in a here-document whose end is quoted, "
		       "where the shell replaces nothing; write <<END without "
		       "quotes.";
	if (is_calculated(r))
		return "it stands in $((...)), where a value would become "
		       "part of the program; put it into a variable before: "
		       "x=${...}; echo $((x + 1)).";
	if (level->kind == LEVEL_SINGLE && level->is_dollared)
		return "it stands in $'...', which shells read differently; "
		       "use double quotes.";
	for (size_t i = 0; i < r->n; i++)
		if (r->levels[i].kind == LEVEL_TICKS && r->levels[i].in_double)
			return "it stands in `...` inside of double quotes; "
			       "write $(...) instead.";
	return NULL;
}

static void
take_value(struct shell_reader *r, const char *why)
{
	*r->next++ = (struct shell_place){
	    .in_single = top(r)->kind == LEVEL_SINGLE,
	    .why = why != NULL ? why : fault_here(r),
	};
	r->at++;
	r->at_word = r->at_command = r->at_line = false;
}

/* ---- pieces that occur in several places ---- */

static void
take_backslash(struct shell_reader *r)
{
	r->at++;
	r->at_word = r->at_command = false;
	if (r->at == r->text.n)
		return;
	if (r->text.p[r->at] == SHELL_VALUE)
		take_value(r, "a backslash stands before it; write $${...} "
			      "for a plain ${...}.");
	else
		r->at++;
}

static bool
in_double(struct shell_reader *r)
{
	const struct level *level = top(r);

	return level->kind == LEVEL_DOUBLE || level->kind == LEVEL_HERE ||
	       ((level->kind == LEVEL_BRACES || level->kind == LEVEL_TICKS) &&
		   level->in_double);
}

static void
begin_commands(struct shell_reader *r, enum level_kind kind)
{
	bool quoted = in_double(r);

	push(r, kind)->in_double = quoted;
	r->at_word = r->at_command = true;
}

static void
take_dollar(struct shell_reader *r)
{
	bool quoted = in_double(r);

	if (is_joined(r, 1) || (peek(r, 1) == '(' && is_split(r, 2, '(')))
		lose_joined(r);
	r->at_word = r->at_command = false;
	switch (peek(r, 1)) {
	case '(':
		if (peek(r, 2) == '(') {
			(void)push(r, LEVEL_NUMBER);
			r->at += 3;
		} else {
			begin_commands(r, LEVEL_PLAIN);
			r->at += 2;
		}
		return;
	case '{':
		push(r, LEVEL_BRACES)->in_double = quoted;
		r->at += 2;
		return;
	case '\'':
		r->at++;
		if (quoted)
			return;
		push(r, LEVEL_SINGLE)->is_dollared = true;
		r->at++;
		return;
	case '[':
		lose(r, "before it is $[...], which shells read "
			"differently" HINT ".");
		break;
	case SHELL_VALUE:
		r->at++;
		take_value(r, "a $ stands before it.");
		return;
	case '$':
		r->at++;
		break;
	default:
		break;
	}
	r->at++;
}

static void
take_tick(struct shell_reader *r)
{
	if (is_inside(r, LEVEL_TICKS))
		lose(r, "before it are `...` in `...`; write $(...) instead.");
	begin_commands(r, LEVEL_TICKS);
	r->at++;
}

/* Take what means the same in all texts that are not quoted as they are. */
static bool
take_active(struct shell_reader *r)
{
	switch (peek(r, 0)) {
	case '\\':
		take_backslash(r);
		return true;
	case '$':
		take_dollar(r);
		return true;
	case '`':
		take_tick(r);
		return true;
	default:
		return false;
	}
}

/* ---- here-documents ---- */

static bool
ends_word(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == ';' || c == '&' ||
	       c == '|' || c == '<' || c == '>' || c == '(' || c == ')';
}

/* Read the word after "<<", without its quotes. */
static void
take_end(struct shell_reader *r, struct here *here)
{
	char *word = arena_alloc(r->arena, r->text.n - r->at + 1);
	char quote = '\0', c;
	size_t n = 0;

	for (; r->at < r->text.n; r->at++) {
		c = r->text.p[r->at];
		if (c == SHELL_VALUE) {
			take_value(r, "the end of a here-document cannot be "
				      "a value.");
			r->at--;
		} else if (quote == '\0' && ends_word(c)) {
			break;
		} else if (c == '\\' && quote != '\'') {
			if (is_joined(r, 0))
				lose_joined(r);
			here->is_quoted = true;
			if (peek(r, 1) == SHELL_VALUE)
				continue;
			r->at++;
			word[n++] = peek(r, 0);
		} else if (c == quote) {
			quote = '\0';
		} else if (quote == '\0' && (c == '\'' || c == '"')) {
			here->is_quoted = true;
			quote = c;
		} else {
			word[n++] = c;
		}
	}
	here->end = (struct span){word, n};
}

static void
take_here(struct shell_reader *r)
{
	struct here here = {.depth = r->n};

	if (is_inside(r, LEVEL_TICKS))
		lose(r, "before it is a here-document in `...`; write $(...) "
			"instead.");
	r->at += 2;
	if (peek(r, 0) == '<') { /* bash: a word as standard input */
		r->at++;
		return;
	}
	here.has_tabs = peek(r, 0) == '-';
	r->at += here.has_tabs;
	while (peek(r, 0) == ' ' || peek(r, 0) == '\t')
		r->at++;
	take_end(r, &here);
	r->heres = arena_more(
	    r->arena, r->heres, r->nheres, &r->heres_room, sizeof(here));
	r->heres[r->nheres++] = here;
	r->at_word = r->at_command = false;
}

/* The line has ended: now the bodies come, the first one first. */
static void
begin_bodies(struct shell_reader *r)
{
	while (r->nheres > 0) {
		struct here here = r->heres[--r->nheres];

		if (here.depth != r->n && top(r)->kind != LEVEL_HERE)
			lose(r, "before it a here-document begins in the "
				"middle of $(...)" HINT ".");
		push(r, LEVEL_HERE)->here = here;
	}
	r->at_line = true;
}

/* Is this line the end of the here-document?  *N is its length. */
static bool
is_end_line(const struct shell_reader *r, const struct here *here, size_t *n)
{
	struct span rest = span_from(r->text, r->at), line;
	const char *end = memchr(rest.p, '\n', rest.n);

	*n = end != NULL ? (size_t)(end - rest.p) : rest.n;
	line = (struct span){rest.p, *n};
	while (here->has_tabs && line.n > 0 && line.p[0] == '\t')
		line = span_from(line, 1);
	return span_eq(line, here->end);
}

static void
step_here(struct shell_reader *r)
{
	const struct here here = top(r)->here;
	char c = peek(r, 0);
	size_t n;

	if (r->at_line && is_end_line(r, &here, &n)) {
		pop(r);
		r->at += n + 1;
		r->at_line = r->at_word = r->at_command = true;
		return;
	}
	r->at_line = c == '\n';
	if (here.is_quoted || !take_active(r))
		r->at++;
}

/* ---- commands ---- */

/* Does a command begin after WORD? */
static bool
is_opening(struct span word)
{
	static const char words[][6] = {
	    "if", "then", "else", "elif", "while", "until", "do", "!", "{"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (span_eq(word, span_str(words[i])))
			return true;
	return false;
}

/* Does a word end at K, after the lines that are joined there? */
static bool
ends_joined(const struct shell_reader *r, size_t k)
{
	while (is_joined(r, k))
		k += 2;
	return ends_word(peek(r, k));
}

static void
take_word(struct shell_reader *r)
{
	size_t n = 0;
	struct span word;

	while (!ends_word(peek(r, n)) && peek(r, n) != '\'' &&
	       peek(r, n) != '"' && peek(r, n) != '\\' && peek(r, n) != '$' &&
	       peek(r, n) != '`' && peek(r, n) != SHELL_VALUE)
		n++;
	word = (struct span){r->text.p + r->at, n};
	/* The ")" of its patterns would be taken for the end of $(...). */
	if (r->at_command && r->n > 1 && span_eq(word, SPAN("case")))
		lose(r, "before it is a case in $(...)" HINT ".");
	if (r->at_command && is_joined(r, n) && !ends_joined(r, n))
		lose_joined(r);
	r->at_command = r->at_command && is_opening(word);
	r->at_word = false;
	r->at += n;
}

static void
take_paren(struct shell_reader *r)
{
	struct level *level = top(r);

	if (peek(r, 0) == '(') {
		if (r->at_command && is_split(r, 1, '('))
			lose_joined(r);
		if (peek(r, 1) == '(' && r->at_command)
			lose(r, "before it is ((...)), which shells read "
				"differently" HINT ".");
		level->parens++;
	} else if (level->parens > 0) {
		level->parens--;
	} else if (level->kind == LEVEL_PLAIN && r->n > 1) {
		pop(r);
		r->at++;
		return;
	}
	r->at++;
	r->at_word = r->at_command = true;
}

/* A word or a comment may begin after a joined line as it may before it. */
static void
take_command_backslash(struct shell_reader *r)
{
	if (!is_joined(r, 0)) {
		take_backslash(r);
		return;
	}
	if (is_inside(r, LEVEL_HERE))
		lose_joined(r);
	r->at += 2;
}

static void
step_commands(struct shell_reader *r)
{
	char c = peek(r, 0);

	switch (c) {
	case '\\':
		take_command_backslash(r);
		return;
	case '\'':
		r->at_word = r->at_command = false;
		(void)push(r, LEVEL_SINGLE);
		break;
	case '"':
		if (top(r)->kind == LEVEL_TICKS && top(r)->in_double)
			lose(r, "before it are quotes in `...` inside of "
				"double quotes; write $(...) instead.");
		r->at_word = r->at_command = false;
		(void)push(r, LEVEL_DOUBLE);
		break;
	case '`':
		if (top(r)->kind != LEVEL_TICKS) {
			take_tick(r);
			return;
		}
		pop(r);
		break;
	case '$':
		take_dollar(r);
		return;
	case '#':
		if (r->at_word)
			(void)push(r, LEVEL_COMMENT);
		break;
	case '(':
	case ')':
		take_paren(r);
		return;
	case '<':
		if (peek(r, 1) == '<') {
			take_here(r);
			return;
		}
		if (is_split(r, 1, '<'))
			lose_joined(r);
		r->at_word = true;
		break;
	case '\n':
		if (is_inside(r, LEVEL_HERE))
			lose(r, "before it a command in a here-document goes "
				"over several lines" HINT ".");
		r->at_word = r->at_command = true;
		r->at++;
		begin_bodies(r);
		return;
	case ';':
	case '&':
	case '|':
		r->at_word = r->at_command = true;
		break;
	case ' ':
	case '\t':
	case '>':
		r->at_word = true;
		break;
	default:
		take_word(r);
		return;
	}
	r->at++;
}

/* ---- quotes ---- */

/*
 * Some shells end `...` at the next tick, others at the next one outside of
 * quotes.
 */
static void
doubt_tick(struct shell_reader *r)
{
	if (peek(r, 0) == '`' && is_inside(r, LEVEL_TICKS))
		lose(r, "before it is a ` in quotes or a comment inside of "
			"`...`; write $(...) instead.");
}

static void
step_single(struct shell_reader *r)
{
	doubt_tick(r);
	if (top(r)->is_dollared && peek(r, 0) == '\\' && peek(r, 1) == '\'')
		lose(r, "before it is $'...', which shells read "
			"differently" HINT ".");
	if (peek(r, 0) == '\'')
		pop(r);
	r->at++;
}

static void
step_double(struct shell_reader *r)
{
	if (take_active(r))
		return;
	if (peek(r, 0) == '"')
		pop(r);
	r->at++;
}

static void
step_braces(struct shell_reader *r)
{
	char c = peek(r, 0);

	if (take_active(r))
		return;
	switch (c) {
	case '\'':
	case '"':
		if (top(r)->in_double)
			lose(r, "before it are quotes in ${...} inside of "
				"double quotes" HINT ".");
		else
			(void)push(r, c == '"' ? LEVEL_DOUBLE : LEVEL_SINGLE);
		break;
	case '}':
		pop(r);
		break;
	default:
		break;
	}
	r->at++;
}

static void
step_number(struct shell_reader *r)
{
	struct level *level = top(r);

	if (take_active(r))
		return;
	switch (peek(r, 0)) {
	case '\'':
	case '"':
		lose(r, "before it are quotes in $((...))" HINT ".");
		break;
	case '(':
		level->parens++;
		break;
	case ')':
		if (level->parens > 0) {
			level->parens--;
			break;
		}
		if (peek(r, 1) != ')')
			lose(r, "before it is $((, which may be two "
				"things; write $( ( with a blank.");
		pop(r);
		r->at++;
		break;
	default:
		break;
	}
	r->at++;
}

static void
step_comment(struct shell_reader *r)
{
	doubt_tick(r);
	if (peek(r, 0) == '\n')
		pop(r);
	else
		r->at++;
}

static void
step(struct shell_reader *r)
{
	switch (top(r)->kind) {
	case LEVEL_PLAIN:
	case LEVEL_TICKS:
		step_commands(r);
		break;
	case LEVEL_SINGLE:
		step_single(r);
		break;
	case LEVEL_DOUBLE:
		step_double(r);
		break;
	case LEVEL_BRACES:
		step_braces(r);
		break;
	case LEVEL_NUMBER:
		step_number(r);
		break;
	case LEVEL_COMMENT:
		step_comment(r);
		break;
	case LEVEL_HERE:
		step_here(r);
		break;
	}
}

void
shell_places(struct arena *arena, struct span text, struct shell_place *places)
{
	struct shell_reader r = {
	    .arena = arena,
	    .text = text,
	    .at_word = true,
	    .at_command = true,
	    .next = places,
	};

	(void)push(&r, LEVEL_PLAIN);
	while (r.at < text.n)
		if (text.p[r.at] == SHELL_VALUE)
			take_value(&r, NULL);
		else
			step(&r);
}
