#include "unit.h"

#include <ctype.h>

#include "path/exclude.h"

static const char *const excluded[] = {".env", ".env.local", ".envrc",
	".environment", "server.pem", ".pem", "a.b.key", "x.p12", "x.pfx",
	"x.crt", "x.cer", "x.der", "x.pk8", "id_rsa", "id_ed25519", ".npmrc",
	".netrc", "caf\xc3\xa9.key",
	/* F8: those that were kept */
	"id_ecdsa", "id_dsa", "id_ecdsa_sk", "deploy_rsa", "x.ppk", "x.p8",
	".git-credentials", ".pgpass", "vault.kdbx", "vault.kdb", "x.jks",
	"release.keystore", ".htpasswd", "credentials.json", "credentials",
	"client_secret_1234.json", "service-account.json",
	"my-service-account.json", "serviceAccountKey.json",
	"app-firebase-adminsdk-x1-y2.json", ".my.cnf", ".pypirc", ".s3cfg",
	".boto", ".dockercfg", "_netrc", "prod.tfvars", "terraform.tfstate",
	".vault-token", "secrets.yml", "secrets.yaml", ".bash_history",
	".psql_history", "prod.env", "x.ovpn", "secring.gpg", "x.asc.gpg",
	"wp-config.php", "kubeconfig", "login.keychain-db", "shadow",
	"ssh_host_ed25519_key",
	/* F8.2: other lists have them (gitleaks, gitrob, shhgit) */
	"krb5.keytab", "krb5cc_1000", "strong.snk", "x.pvk", "x.jwk",
	"disk.bek", "wallet.dat", "x.wallet", "UTC--2026-01-01--ab",
	"hs_ed25519_secret_key", "my-private-key.asc", "prod-openrc.sh",
	"fish_history", "ConsoleHost_history.txt", "auth.json", "token.json",
	"oauth_creds.json", ".credentials.json", ".claude.json", "kaggle.json",
	".authinfo", ".muttrc", ".wgetrc", ".curlrc", ".hgrc", "pip.conf",
	"NuGet.Config", "clouds.yaml", "keystore.properties", "master.passwd",
	"config.inc.php", "plan.tfplan", "vpn.nmconnection", "server.rdp",
	"Cookies", "Web Data", "private_key",
	/* F8.3: copies of them */
	"id_rsa.bak", "id_ed25519~", ".netrc~", ".npmrc.old", "server.key.orig",
	"credentials.json.bak~", ".id_rsa.swp", ".credentials.json.swp",
	"#.netrc#", ".#id_rsa", "#secrets.yml#", "terraform.tfstate.backup",
	"vault.kdbx.tmp", ".env.bak", "x.pem.save"};

/* By where they lie. */
static const char *const placed[] = {".aws/credentials", ".aws/config",
	".docker/config.json", ".kube/config", ".ssh/config", ".ssh/deploy",
	".ssh/keys/work", ".gnupg/private-keys-v1.d/AB.x", ".azure/x.json",
	".config/gcloud/legacy/adc.json", ".config/gh/hosts.yml",
	".config/git/credentials", ".cargo/credentials.toml",
	".m2/settings.xml", ".gradle/gradle.properties",
	".terraform.d/credentials.tfrc.json", ".composer/auth.json",
	".password-store/mail/me", "etc/shadow",
	/* F8.2 */
	".git/config", ".config/sops/age/keys.txt", ".cache/huggingface/token",
	".config/github-copilot/hosts.json", ".config/glab-cli/config.yml",
	".config/hcloud/cli.toml", ".config/scw/config.yaml",
	".aliyun/config.json", ".config/solana/id.json", ".oci/key", ".op/x",
	".bitcoin/wallets/w", ".electrum/wallets/default_wallet",
	".cloudflared/ab.json", "etc/NetworkManager/system-connections/home",
	"etc/wireguard/wg0.conf", ".config/configstore/tool.json",
	".pi/agent/auth.json", ".codex/auth.json",
	/* F8.3 */
	".docker/config.json.bak", ".kube/config~", ".kube/config.old"};

/* Where the same names are something else. */
static const char *const elsewhere[] = {"app/config.json", "kube/config",
	"aws/config", ".docker/config.json5", "docker/config.json",
	"ssh/config", "m2/settings.xml", "gh/hosts.txt", "x.ssh/a", ".sshx/a",
	"src/.aws", "git/config", "age/keys.md", "solana/id.js", "tokens/token",
	"wireguard/conf.c", "configstore/store.go"};

static const char *const allowed[] = {"", "env", "my.env.txt",
	"_env", "pem", "server.pem.txt", "server.pems", "xpem", "key",
	"x.keys", "x.p1", "x.p122", "crt", "id_rsa.pub", "id_rsa2",
	"id_ed25519.pub", "npmrc", ".npmrc2", "x.npmrc", "~", ".bak", "main.c~", "main.c.bak", ".main.c.swp",
	"#main.c#", "private.c", "tokens.json", "wallet.c", "utc.c", "auth.ts",
	"cookies.txt", "signature.asc", "myhistory", "netrc.swp", "gist",
	"main.c", ".gitignore", "rsa", "_rsa.c", "rsa.c", "credentials.go",
	"credentials.ts", "secrets.py", "secrets.go", "secret.c", "history",
	"shadow.c", "shadow.css", "service-account.ts", "keychain.swift",
	"htpasswd", "client_secret.go", "key.json", "keystore.c", "cookies.js",
	"database.ts", "environment.ts", "known_hosts", "a.asc", "config.json",
	"settings.xml", "hosts.yml"};

static bool
matches(struct arena *arena, const char *before, const char *name)
{
	struct span path = unit_join(arena, span_str(before), span_str(name));

	return exclude_matches(unit_exact(arena, path));
}

static void
names(struct arena *arena)
{
	static const char *const before[] = {"", "/", "/home/me/", "a/b/"};

	for (size_t k = 0; k < COUNT_OF(before); k++) {
		for (size_t i = 0; i < COUNT_OF(excluded); i++)
			CHECK(matches(arena, before[k], excluded[i]), "%s%s",
			    before[k], excluded[i]);
		for (size_t i = 0; i < COUNT_OF(allowed); i++)
			CHECK(!matches(arena, before[k], allowed[i]), "%s%s",
			    before[k], allowed[i]);
	}
}

static void
case_does_not_matter(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(excluded); i++) {
		char *upper = arena_cstr(arena, span_str(excluded[i]));
		char *mixed = arena_cstr(arena, span_str(excluded[i]));

		for (size_t k = 0; upper[k] != '\0'; k++) {
			if ((unsigned char)upper[k] >= 0x80)
				continue;
			upper[k] = (char)toupper(upper[k]);
			if (k % 2 == 1)
				mixed[k] = upper[k];
		}
		CHECK(matches(arena, "/x/", upper), "%s", upper);
		CHECK(matches(arena, "/x/", mixed), "%s", mixed);
	}
}

static void
f8_places(struct arena *arena)
{
	static const char *const before[] = {"", "/", "/home/me/", "a/b/"};

	for (size_t k = 0; k < COUNT_OF(before); k++) {
		for (size_t i = 0; i < COUNT_OF(placed); i++)
			CHECK(matches(arena, before[k], placed[i]), "%s%s",
			    before[k], placed[i]);
		for (size_t i = 0; i < COUNT_OF(elsewhere); i++)
			CHECK(!matches(arena, before[k], elsewhere[i]), "%s%s",
			    before[k], elsewhere[i]);
	}
}

/* A directory that is called like a file with secrets is none. */
static void
directories_do_not_matter(struct arena *arena)
{
	for (size_t i = 0; i < COUNT_OF(excluded); i++) {
		struct span dir = unit_join(arena, span_str(excluded[i]),
		    SPAN("/main.c"));

		assert_false(exclude_matches(dir));
	}
}

/* What is made may be a directory: then its own name is one that files lie in. */
static void
a_place_may_be_a_directory(struct arena *arena)
{
	static const char *const secret[] = {
	    "/x/.ssh", "/x/.SSH", "gcloud", ".aws/x", "/x/id_rsa", ".env"};
	static const char *const other[] = {
	    "/x/ssh", "/x/.ssh.bak", "main.c", "", "/", ".sshx", "x/.kube"};

	for (size_t i = 0; i < COUNT_OF(secret); i++)
		CHECK(exclude_matches_place(
			  unit_exact(arena, span_str(secret[i]))),
		    "%s", secret[i]);
	for (size_t i = 0; i < COUNT_OF(other); i++)
		CHECK(!exclude_matches_place(
			  unit_exact(arena, span_str(other[i]))),
		    "%s", other[i]);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(names),
		TEST(case_does_not_matter),
		TEST(f8_places),
		TEST(directories_do_not_matter),
		TEST(a_place_may_be_a_directory),
	};

	return RUN_TESTS(tests);
}
