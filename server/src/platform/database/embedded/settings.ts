/** A setting of PostgreSQL and its value, as written in postgresql.conf. */
export type Settings = Record<string, string>;

/**
 * For a small machine that writes 100,000 readings a second: checkpoints far apart, because each rewrites every page touched
 * since; an acknowledged commit on disk, always. The statistics collector stays as it comes.
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
  // Tables and indexes are on an SSD and mostly in memory: a page out of its turn costs little more than the next one.
  random_page_cost: "1.1",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_checkpoints: "off",
  log_min_messages: "warning",
  // A statement in the log would carry its values: passwords' hashes, tokens' hashes, people's data.
  log_min_error_statement: "panic",
  log_parameter_max_length_on_error: "0",
};

/** The settings as arguments for `postgres`. */
export const settingArguments = (socketDir: string, changed: Settings = {}): string[] =>
  Object.entries({ ...settings, unix_socket_directories: socketDir, ...changed }).flatMap(([name, value]) => [
    "-c",
    `${name}=${value}`,
  ]);
