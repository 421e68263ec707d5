/** PostgreSQL settings, as written in postgresql.conf. */
export type Settings = Record<string, string>;

/**
 * For a small machine that writes 100,000 readings a second: rare checkpoints, because each one causes full-page writes; commits always flushed to
 * disk. The statistics collector keeps its defaults.
 */
const settings: Settings = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "60",
  shared_buffers: "256MB",
  huge_pages: "off",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  synchronous_commit: "on",
  fsync: "on",
  wal_level: "minimal",
  max_wal_senders: "0",
  max_wal_size: "4GB",
  min_wal_size: "256MB",
  checkpoint_timeout: "15min",
  // Readings stay in `batches` for ten seconds: their space is to be used again soon.
  autovacuum_naptime: "10s",
  // Tables and indexes are on an SSD and mostly in memory: random page access costs little more than sequential.
  random_page_cost: "1.1",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  log_min_messages: "warning",
  // A logged statement would contain its values: password hashes, token hashes, personal data.
  log_min_error_statement: "panic",
  log_parameter_max_length_on_error: "0",
};

/** The settings as arguments for `postgres`. */
export const settingArguments = (socketDir: string, changed: Settings = {}): string[] =>
  Object.entries({ ...settings, unix_socket_directories: socketDir, ...changed }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
