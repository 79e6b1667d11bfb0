#include "path/exclude.h"

/*
 * Lists of patterns, each with its NUL, and an empty one at the end.  Not of
 * pointers: those would cost every start of the program.  In lower case; a
 * star is for any number of characters.
 */

/* The last component. */
static const char names[] =
    /* keys and certificates */
    "*.pem\0*.key\0*.p12\0*.pfx\0*.pkcs12\0*.p8\0*.pk8\0*.crt\0*.cer\0"
    "*.der\0*.ppk\0*.jks\0*.jceks\0*.bks\0*.keystore\0*.keypair\0"
    "*.gpg\0*.pgp\0secring.*\0*_rsa\0*_dsa\0*_ecdsa\0*_ed25519\0"
    "*_ecdsa_sk\0*_ed25519_sk\0ssh_host_*_key\0*.ovpn\0*.mobileprovision\0"
    "otr.private_key\0"
    /* safes of passwords */
    "*.kdb\0*.kdbx\0*.kwallet\0*.keychain\0*.keychain-db\0*.psafe3\0"
    "*.agilekeychain\0*.opvault\0*.1pif\0logins.json\0key3.db\0key4.db\0"
    "signons.sqlite\0login data\0cookies.sqlite\0"
    /* variables and settings with secrets in them */
    ".env*\0*.env\0.flaskenv\0.secret\0.secrets\0.secrets.*\0secret.yml\0"
    "secret.yaml\0secrets.yml\0secrets.yaml\0secrets.json\0secrets.toml\0"
    "secrets.ini\0secret_token.rb\0*.tfvars\0*.tfvars.json\0*.tfstate\0"
    "*.tfstate.backup\0.terraformrc\0terraform.rc\0.vault-token\0"
    ".vault_pass*\0.vault-pass*\0*.publishsettings\0*.cscfg\0database.yml\0"
    "wp-config.php\0localsettings.php\0local.settings.json\0"
    /* what programs log in with */
    ".npmrc\0.yarnrc.yml\0.netrc\0_netrc\0.pypirc\0.pgpass\0pgpass.conf\0"
    ".my.cnf\0.mylogin.cnf\0.s3cfg\0.boto\0.dockercfg\0.dockerconfigjson\0"
    ".git-credentials\0.git-credential-cache\0.htpasswd\0.htdigest\0"
    ".smbcredentials\0.credentials\0credentials\0credentials.json\0"
    "credentials.xml\0credentials.yml\0credentials.yaml\0credentials.toml\0"
    "credentials.csv\0*.credentials\0credentials.yml.enc\0"
    "application_default_credentials.json\0client_secret*.json\0"
    "client-secret*.json\0service-account*.json\0service_account*.json\0"
    "serviceaccount*.json\0*-service-account.json\0"
    "*_service_account.json\0*firebase-adminsdk*.json\0gcp-key*.json\0"
    "gcloud-key*.json\0google-credentials*.json\0accesstokens.json\0"
    "kubeconfig\0*.kubeconfig\0rclone.conf\0.rclone.conf\0sftp-config.json\0"
    ".ftpconfig\0.remote-sync.json\0filezilla.xml\0recentservers.xml\0"
    "sitemanager.xml\0robomongo.json\0.dbeaver-data-sources.xml\0"
    "credentials-config.json\0.msmtprc\0.fetchmailrc\0.getmailrc\0"
    ".databrickscfg\0.erlang.cookie\0.rhosts\0.xauthority\0.iceauthority\0knife.rb\0"
    "hudson.util.secret\0proftpdpasswd\0shadow\0gshadow\0.esmtprc\0"
    /* what was typed */
    ".*_history\0.histfile\0.lesshst\0.viminfo\0";

/* The last two components. */
static const char places[] =
    ".docker/config.json\0.kube/config\0.m2/settings.xml\0"
    ".m2/settings-security.xml\0.gradle/gradle.properties\0"
    ".cargo/credentials\0.cargo/credentials.toml\0.gem/credentials\0"
    "gh/hosts.yml\0.config/hub\0git/credentials\0.subversion/servers\0"
    ".terraform.d/credentials.tfrc.json\0.nuget/nuget.config\0"
    ".composer/auth.json\0composer/auth.json\0containers/auth.json\0"
    ".bundle/config\0.config/op\0config/master.key\0.chef/*.rb\0"
    ".ansible/vault*\0.circleci/cli.yml\0doctl/config.yaml\0"
    ".oci/config\0.ibmcloud/config.json\0.snowsql/config\0"
    ".irssi/config\0.purple/accounts.xml\0.weechat/irc.conf\0"
    ".vnc/passwd\0etc/shadow\0.jupyter/jupyter_server_config.json\0";

/* Any component but the last. */
static const char directories[] =
    ".ssh\0.gnupg\0.aws\0.azure\0gcloud\0.password-store\0.keychain\0"
    ".pki\0keyrings\0.mozilla\0.thunderbird\0";

static char
lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/* Is NAME, whatever its case, PATTERN?  A star is tried at every place. */
static bool
matches(const char *pattern, struct span name)
{
	for (; *pattern != '\0'; pattern++, name = span_from(name, 1)) {
		if (*pattern == '*') {
			size_t least = strlen(pattern + 1);

			/* Without another star only the end can fit. */
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

static bool
is_listed(const char *list, struct span name)
{
	for (; *list != '\0'; list += strlen(list) + 1)
		if (matches(list, name))
			return true;
	return false;
}

/* What follows the last slash of the first N bytes of PATH. */
static size_t
last_from(struct span path, size_t n)
{
	const char *slash = memrchr(path.p, '/', n);

	return slash != NULL ? (size_t)(slash - path.p) + 1 : 0;
}

bool
exclude_matches(struct arena *arena, struct span path)
{
	size_t from = last_from(path, path.n), end;

	(void)arena;
	if (is_listed(names, span_from(path, from)))
		return true;
	if (from == 0)
		return false;
	if (is_listed(places, span_from(path, last_from(path, from - 1))))
		return true;
	for (end = from - 1;; end = from - 1) {
		from = last_from(path, end);
		if (is_listed(directories,
			(struct span){path.p + from, end - from}))
			return true;
		if (from == 0)
			return false;
	}
}
