/*
 * folder.h -- our places in a project, all in the folder of the host.
 *
 * To be appended to the project's directory.
 */
#ifndef READCACHE_BASE_FOLDER_H
#define READCACHE_BASE_FOLDER_H

#define FOLDER "/.pi"
#define FOLDER_SETTINGS FOLDER "/readcache.json"
#define FOLDER_STORE FOLDER "/readcache" /* unless the user names another */
#define FOLDER_FLOWS FOLDER "/flows/"	 /* saved workflows */

#endif
