export { sqlNamesOf } from "./names.ts";
export { openSqlAccess } from "./open.ts";
export type { SqlLimits, SqlPlace } from "./prepare.ts";
export { addSqlUser, listSqlUsers, removeSqlUser } from "./users.ts";
