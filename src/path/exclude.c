#include "path/exclude.h"

#include "os/bytes.h"

/*
 * Lists of patterns in lower case; a star stands for any number of characters.
 * They are arrays of characters, not pointers, because pointers would be
 * relocated at every start of the program.  Every read asks all of them, so
 * most are skipped by their first letter.
 */

/* The last component, after its last dot. */
static const char extensions[][16] = {
    "pem", "key", "p12", "pfx", "pkcs12", "p8", "pk8", "crt", "cer", "der",
    "ppk", "jks", "jceks", "bks", "keystore", "keypair", "gpg", "pgp", "ovpn",
    "mobileprovision", "kdb", "kdbx", "kwallet", "keychain", "keychain-db",
    "psafe3", "agilekeychain", "opvault", "1pif", "env", "tfvars", "tfstate",
    "publishsettings", "cscfg", "credentials", "kubeconfig", "keytab", "pvk",
    "snk", "jwk", "agekey", "bek", "tblk", "wallet", "rdp", "remmina",
    "nmconnection", "tfplan",
};

/* The last component, by how it ends. */
static const char endings[][25] = {
    "*_rsa", "*_dsa", "*_ecdsa", "*_ed25519", "*_ecdsa_sk", "*_ed25519_sk",
    "*.tfvars.json", "*.tfstate.backup", "*-service-account.json",
    "*_service_account.json", "*firebase-adminsdk*.json", "*_secret_key",
    "*private*.asc", "*secret*.asc", "*-openrc.sh", "*_history",
};

/* The last component. */
static const char names[][37] = {
    /* keys and certificates */
    "secring.*", "ssh_host_*_key", "otr.private_key", "private_key",
    "private-key", "privatekey", "krb5cc_*", "key.properties",
    "keystore.properties", "signing.properties",
    /* password stores */
    "logins.json", "key3.db", "key4.db", "signons.sqlite", "login data",
    "cookies.sqlite", "cookies", "web data", "wallet.dat", "utc--*",
    /* variables and settings with secrets in them */
    ".env*", ".flaskenv", ".secret", ".secrets", ".secrets.*", "secret.yml",
    "secret.yaml", "secrets.yml", "secrets.yaml", "secrets.json",
    "secrets.toml", "secrets.ini", "secrets.xml", "secrets.properties",
    "prod.secret.exs", "secret_token.rb", ".terraformrc",
    "terraform.rc", ".vault-token", ".vault_pass*", ".vault-pass*",
    "database.yml", "wp-config.php", "localsettings.php",
    "local.settings.json", "config.inc.php", "debian.cnf", "unattend.xml",
    /* what programs log in with */
    ".npmrc", ".yarnrc.yml", ".netrc", "_netrc", ".pypirc", ".pgpass",
    "pgpass.conf", ".my.cnf", ".mylogin.cnf", ".s3cfg", ".boto", ".dockercfg",
    ".dockerconfigjson", ".git-credentials", ".git-credential-cache",
    ".htpasswd", ".htdigest", ".smbcredentials", ".credentials", "credentials",
    "credentials.json", "credentials.xml", "credentials.yml",
    "credentials.yaml", "credentials.toml", "credentials.csv",
    "credentials.yml.enc", "application_default_credentials.json",
    "client_secret*.json", "client-secret*.json", "service-account*.json",
    "service_account*.json", "serviceaccount*.json", "gcp-key*.json",
    "gcloud-key*.json", "google-credentials*.json", "accesstokens.json",
    "kubeconfig", "rclone.conf", ".rclone.conf", "sftp-config.json",
    ".ftpconfig", ".remote-sync.json", "filezilla.xml", "recentservers.xml",
    "sitemanager.xml", "robomongo.json", ".dbeaver-data-sources.xml",
    "credentials-config.json", ".msmtprc", ".fetchmailrc", ".getmailrc",
    ".databrickscfg", ".erlang.cookie", ".rhosts", ".xauthority",
    ".iceauthority", "knife.rb", "hudson.util.secret", "proftpdpasswd",
    "shadow", "shadow-", "gshadow", "gshadow-", "master.passwd", ".esmtprc",
    "auth.json", "token.json", "token.pickle", "oauth_creds.json",
    ".credentials.json", ".claude.json", "kaggle.json", ".authinfo",
    ".muttrc", ".offlineimaprc", ".mbsyncrc", ".isyncrc", ".wgetrc",
    ".curlrc", ".hgrc", ".condarc", "pip.conf", "pip.ini", "nuget.config",
    ".sentryclirc", ".tugboat", ".trc", ".gist", ".nomad-token",
    "clouds.yaml", "clouds.yml", "secure.yaml", "ovh.conf", "ngrok.yml",
    "wpa_supplicant.conf", "winscp.ini", "confcons.xml",
    /* what users typed */
    "consolehost_history.txt", ".histfile", ".zhistory", ".lesshst",
    ".viminfo",
};

/* The last two components. */
static const char places[][36] = {
    ".docker/config.json", ".kube/config", ".m2/settings.xml",
    ".m2/settings-security.xml", ".gradle/gradle.properties",
    ".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials",
    "gh/hosts.yml", ".config/hub", "git/credentials", ".subversion/servers",
    ".terraform.d/credentials.tfrc.json", ".nuget/nuget.config",
    ".composer/auth.json", "composer/auth.json", "containers/auth.json",
    ".bundle/config", ".config/op", "config/master.key", ".chef/*.rb",
    ".ansible/vault*", ".circleci/cli.yml", "doctl/config.yaml", ".oci/config",
    ".ibmcloud/config.json", ".snowsql/config", ".irssi/config",
    ".purple/accounts.xml", ".weechat/irc.conf", ".vnc/passwd", "etc/shadow",
    ".jupyter/jupyter_server_config.json", ".git/config", "age/keys.txt",
    "huggingface/token", ".huggingface/token", "github-copilot/hosts.json",
    "github-copilot/apps.json", "glab-cli/config.yml", "hcloud/cli.toml",
    "scw/config.yaml", ".aliyun/config.json", ".fly/config.yml",
    "netlify/config.json", ".netlify/config.json", "argocd/config",
    ".argocd/config", ".travis/config.yml", "helm/repositories.yaml",
    "registry/config.json", "solana/id.json", ".idea/webservers.xml",
    "openvpn/auth.txt", "wireguard/*.conf", "configstore/*.json",
};

/* Any component but the last. */
static const char directories[][20] = {
    ".ssh", ".gnupg", ".aws", ".azure", "gcloud", ".password-store",
    ".keychain", ".pki", "keyrings", ".mozilla", ".thunderbird", ".oci",
    ".op", "1password", ".bitcoin", ".ethereum", ".electrum", ".cloudflared",
    ".mutt", "system-connections",
};

/* What is added to a file's name by those who keep an old copy. */
static const char copies[][9] = {"~", ".bak", ".backup", ".old", ".orig",
    ".save", ".saved", ".copy", ".tmp", ".swp", ".swo", "#"};

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Does NAME match PATTERN, in any case?  A star is tried at every place. */
static bool
matches(const char *pattern, struct span name)
{
	for (; *pattern != '\0'; pattern++, name = span_from(name, 1)) {
		if (*pattern == '*') {
			size_t least = strlen(pattern + 1);

			/*
			 * After the last star, only the end of the name can
			 * match.
			 */
			if (strchr(pattern + 1, '*') == NULL)
				return name.n >= least &&
				       matches(pattern + 1,
					   span_from(name, name.n - least));
			while (name.n > 0 && !matches(pattern + 1, name))
				name = span_from(name, 1);
			return name.n > 0 || matches(pattern + 1, name);
		}
		if (name.n == 0 || lower(*name.p) != *pattern)
			return false;
	}
	return name.n == 0;
}

/* Does NAME match one of the N patterns in LIST, each SIZE bytes long? */
static bool
is_in(const char *list, size_t n, size_t size, struct span name)
{
	char first = name.n > 0 ? lower(name.p[0]) : '\0';

	for (size_t i = 0; i < n; i++, list += size)
		if ((*list == first || *list == '*') && matches(list, name))
			return true;
	return false;
}

#define IS_IN(list, name) \
	is_in((list)[0], sizeof(list) / sizeof((list)[0]), sizeof((list)[0]), \
	    name)

static bool
is_secret_name(struct span name)
{
	const char *dot = bytes_last(name.p, '.', name.n);

	return (dot != NULL &&
		   IS_IN(extensions,
		       span_from(name, (size_t)(dot - name.p) + 1))) ||
	       IS_IN(names, name) || IS_IN(endings, name);
}

/* Where the last component of the first N bytes of PATH begins. */
static size_t
last_from(struct span path, size_t n)
{
	const char *slash = bytes_last(path.p, '/', n);

	return slash != NULL ? (size_t)(slash - path.p) + 1 : 0;
}

/* NAME without its copy endings: the copy of a secret is a secret, too. */
static struct span
without_copy(struct span name)
{
	for (size_t i = 0; i < sizeof(copies) / sizeof(copies[0]); i++) {
		size_t n = strlen(copies[i]);

		if (name.n > n &&
		    matches(copies[i], span_from(name, name.n - n))) {
			name.n -= n;
			i = (size_t)-1; /* from the first one again */
		}
	}
	return name;
}

/* Editors also put something first: ".name.swp", "#name#", ".#name". */
static bool
is_secret_copy(struct span name)
{
	size_t n = 0;

	while (n < name.n && n < 2 && (name.p[n] == '.' || name.p[n] == '#'))
		if (is_secret_name(span_from(name, ++n)))
			return true;
	return false;
}

bool
exclude_matches(struct span path)
{
	struct span name = span_from(path, last_from(path, path.n));
	struct span plain = without_copy(name);
	size_t from = path.n - name.n, end;

	path.n -= name.n - plain.n;
	if (is_secret_name(plain) || is_secret_copy(plain))
		return true;
	if (from == 0)
		return false;
	if (IS_IN(places, span_from(path, last_from(path, from - 1))))
		return true;
	for (end = from - 1;; end = from - 1) {
		from = last_from(path, end);
		if (IS_IN(directories,
			((struct span){path.p + from, end - from})))
			return true;
		if (from == 0)
			return false;
	}
}

bool
exclude_matches_place(struct span path)
{
	return exclude_matches(path) ||
	    IS_IN(directories, span_from(path, last_from(path, path.n)));
}
