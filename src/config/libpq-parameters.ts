/** The parameters that libpq knows in a URL (34.1.2), except those that have their own place in it. */
export const LIBPQ_PARAMETERS: readonly string[] = `
  application_name channel_binding client_encoding connect_timeout fallback_application_name gssdelegation gssencmode gsslib hostaddr
  keepalives keepalives_count keepalives_idle keepalives_interval krbsrvname load_balance_hosts max_protocol_version min_protocol_version
  oauth_client_id oauth_client_secret oauth_issuer oauth_scope options passfile replication require_auth requirepeer requiressl
  scram_client_key scram_server_key service servicefile ssl ssl_max_protocol_version ssl_min_protocol_version sslcert sslcertmode
  sslcompression sslcrl sslcrldir sslkey sslkeylogfile sslmode sslnegotiation sslpassword sslrootcert sslsni target_session_attrs
  tcp_user_timeout
`
  .trim()
  .split(/\s+/);
