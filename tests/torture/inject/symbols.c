#include "symbols.h"

#include <elf.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file in the memory of the process. */
struct mapping {
	uint64_t start, end, offset;
	char path[PATH_MAX];
};

/* An ELF file in ours. */
struct image {
	const char *bytes;
	size_t n;
};

static struct image
image_open(const char *path)
{
	struct image image = {NULL, 0};
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *p;

	if (fd >= 0 && fstat(fd, &st) == 0 &&
	    st.st_size > (off_t)sizeof(Elf64_Ehdr)) {
		p = mmap(
		    NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (p != MAP_FAILED)
			image = (struct image){p, (size_t)st.st_size};
	}
	if (fd >= 0)
		(void)close(fd);
	return image;
}

static void
image_close(struct image image)
{
	if (image.bytes != NULL)
		(void)munmap((void *)(uintptr_t)image.bytes, image.n);
}

static uint64_t
find_in_table(struct image image, const Elf64_Shdr *sections,
    const Elf64_Shdr *table, const char *name)
{
	const Elf64_Sym *symbols =
	    (const void *)(image.bytes + table->sh_offset);
	const char *names = image.bytes + sections[table->sh_link].sh_offset;

	for (size_t i = 0; i < table->sh_size / sizeof(*symbols); i++)
		if (symbols[i].st_shndx != SHN_UNDEF &&
		    strcmp(names + symbols[i].st_name, name) == 0)
			return symbols[i].st_value;
	return 0;
}

/* The address of NAME as the file says; 0: not there. */
static uint64_t
image_symbol(struct image image, const char *name)
{
	const Elf64_Ehdr *head = (const void *)image.bytes;
	const Elf64_Shdr *sections;
	uint64_t found = 0;

	if (image.bytes == NULL || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0)
		return 0;
	sections = (const void *)(image.bytes + head->e_shoff);
	for (size_t i = 0; i < head->e_shnum && found == 0; i++)
		if (sections[i].sh_type == SHT_SYMTAB ||
		    sections[i].sh_type == SHT_DYNSYM)
			found =
			    find_in_table(image, sections, &sections[i], name);
	return found;
}

/* Where the first loaded byte of the file wants to be. */
static uint64_t
image_base(struct image image)
{
	const Elf64_Ehdr *head = (const void *)image.bytes;
	const Elf64_Phdr *parts = (const void *)(image.bytes + head->e_phoff);

	for (size_t i = 0; i < head->e_phnum; i++)
		if (parts[i].p_type == PT_LOAD)
			return parts[i].p_vaddr - parts[i].p_offset;
	return 0;
}

static bool
next_mapping(FILE *maps, struct mapping *mapping)
{
	char line[PATH_MAX + 128];

	while (fgets(line, sizeof(line), maps) != NULL)
		if (sscanf(line,
			"%" SCNx64 "-%" SCNx64 " %*s %" SCNx64
			" %*s %*s %4095[^\n]",
			&mapping->start, &mapping->end, &mapping->offset,
			mapping->path) == 4)
			return true;
	return false;
}

static FILE *
open_maps(pid_t pid)
{
	char path[64];

	(void)snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	return fopen(path, "re");
}

/* NAME in the first file whose path ends with, or contains, PART. */
static uint64_t
find(pid_t pid, const char *part, const char *name)
{
	FILE *maps = open_maps(pid);
	struct mapping mapping;
	uint64_t found = 0;

	while (maps != NULL && found == 0 && next_mapping(maps, &mapping)) {
		struct image image;

		if (mapping.offset != 0 || strstr(mapping.path, part) == NULL)
			continue;
		image = image_open(mapping.path);
		found = image_symbol(image, name);
		if (found != 0)
			found += mapping.start - image_base(image);
		image_close(image);
	}
	if (maps != NULL)
		(void)fclose(maps);
	return found;
}

uint64_t
symbol_of_program(pid_t pid, const char *name)
{
	char link[64], path[PATH_MAX];
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	n = readlink(link, path, sizeof(path) - 1);
	if (n <= 0)
		return 0;
	path[n] = '\0';
	return find(pid, path, name);
}

uint64_t
symbol_in_use(pid_t pid, const char *name)
{
	uint64_t found = symbol_of_program(pid, name);

	if (found == 0)
		found = find(pid, "libasan", name);
	if (found == 0)
		found = find(pid, "/libc.so", name);
	return found;
}

bool
symbol_is_sanitizer(pid_t pid, uint64_t address)
{
	static struct mapping last; /* most calls come from one place */
	FILE *maps;

	if (address < last.start || address >= last.end) {
		maps = open_maps(pid);
		while (maps != NULL && next_mapping(maps, &last))
			if (address >= last.start && address < last.end)
				break;
		if (maps != NULL)
			(void)fclose(maps);
	}
	return strstr(last.path, "san.so") != NULL;
}
