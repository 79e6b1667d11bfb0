#include "inspect/sheet.h"

enum { PAGES_MAX = 4096 }; /* more are not searched */

struct sheet
sheet_new(struct arena *arena)
{
	return (struct sheet){.arena = arena, .by_number = map_new(arena, 16)};
}

static struct span
page_name(const uint64_t *number)
{
	return (struct span){(const char *)number, sizeof(*number)};
}

static struct sheet_page *
find_page(const struct sheet *sheet, uint64_t line)
{
	uint64_t number = line / SHEET_PAGE;
	const uint64_t *found = map_find(sheet->by_number,
	    page_name(&number));
	struct sheet_page *page;

	if (found == NULL)
		return NULL;
	page = (struct sheet_page *)(uintptr_t)*found;
	return page->epoch == sheet->epoch ? page : NULL;
}

struct sheet_line *
sheet_find(const struct sheet *sheet, uint64_t line)
{
	struct sheet_page *page = line <= sheet->top ? find_page(sheet, line)
						     : NULL;

	return page != NULL && page->lines[line % SHEET_PAGE].text != 0
	    ? &page->lines[line % SHEET_PAGE]
	    : NULL;
}

static struct sheet_page *
make_page(struct sheet *sheet, uint64_t line)
{
	struct sheet_page *page = find_page(sheet, line);
	uint64_t number = line / SHEET_PAGE;
	uint64_t *found;

	if (page != NULL)
		return page;
	found = map_find(sheet->by_number, page_name(&number));
	if (found != NULL) {
		page = (struct sheet_page *)(uintptr_t)*found;
		memset(page->lines, 0, sizeof(page->lines));
	} else {
		page = arena_array(sheet->arena, 1, sizeof(*page));
		page->number = number;
		*map_at(sheet->by_number, page_name(&page->number), 0) =
		    (uintptr_t)page;
	}
	page->epoch = sheet->epoch;
	page->next = sheet->pages;
	sheet->pages = page;
	sheet->npages++;
	return page;
}

void
sheet_set(struct sheet *sheet, uint64_t line, struct sheet_line value)
{
	make_page(sheet, line)->lines[line % SHEET_PAGE] = value;
	if (line > sheet->top)
		sheet->top = line;
}

uint64_t
sheet_room(const struct sheet *sheet)
{
	return sheet->npages * SHEET_PAGE;
}

uint64_t
sheet_count(const struct sheet *sheet, uint64_t first, uint64_t last)
{
	uint64_t n = 0;

	for (const struct sheet_page *p = sheet->pages; p != NULL;
	     p = p->next) {
		for (uint64_t i = 0; i < SHEET_PAGE; i++) {
			uint64_t line = p->number * SHEET_PAGE + i;

			n += p->lines[i].text != 0 && line >= first &&
			     line <= last;
		}
	}
	return n;
}

void
sheet_cut(struct sheet *sheet, uint64_t last)
{
	if (sheet->top <= last)
		return;
	if (last == 0 || sheet->npages > PAGES_MAX) {
		sheet->pages = NULL;
		sheet->npages = 0;
		sheet->epoch++;
		sheet->top = 0;
		return;
	}
	for (struct sheet_page *p = sheet->pages; p != NULL; p = p->next)
		for (uint64_t i = 0; i < SHEET_PAGE; i++)
			if (p->number * SHEET_PAGE + i > last)
				p->lines[i] = (struct sheet_line){0};
	sheet->top = last;
}

void
sheet_texts(const struct sheet *sheet, uint64_t first, struct column column)
{
	const struct sheet_page *page = NULL;

	for (uint64_t i = 0; i < column.n; i++) {
		if (i == 0 || (first + i) % SHEET_PAGE == 0)
			page = find_page(sheet, first + i);
		column.texts[i] = page != NULL
		    ? page->lines[(first + i) % SHEET_PAGE].text
		    : 0;
	}
}

/* The first line from FIRST on that is not known. */
static uint64_t
first_unknown(const struct sheet *sheet, uint64_t first)
{
	const struct sheet_page *page = find_page(sheet, first);
	uint64_t line = first;

	while (page != NULL && page->lines[line % SHEET_PAGE].text != 0)
		if (++line % SHEET_PAGE == 0)
			page = find_page(sheet, line);
	return line;
}

/*
 * The first known line after FIRST up to LAST, or LAST + 1.  With too many
 * pages to search it is FIRST + 1.
 */
static uint64_t
first_known(const struct sheet *sheet, uint64_t first, uint64_t last)
{
	uint64_t least = last + 1;

	if (sheet->npages > PAGES_MAX)
		return first + 1;
	for (const struct sheet_page *p = sheet->pages; p != NULL; p = p->next)
		for (uint64_t i = 0; i < SHEET_PAGE; i++) {
			uint64_t line = p->number * SHEET_PAGE + i;

			if (p->lines[i].text != 0 && line >= first &&
			    line < least)
				least = line;
		}
	return least;
}

uint64_t
sheet_gap(const struct sheet *sheet, uint64_t first, uint64_t last,
    uint64_t *until)
{
	uint64_t line = first_unknown(sheet, first);

	if (line > last)
		return 0;
	*until = first_known(sheet, line, last) - 1;
	return line;
}
