export { sqlNamesOf } from "./names.ts";
export { openSqlAccess } from "./open.ts";
export type { SqlPlace } from "./prepare.ts";
export { addSqlUser, listSqlUsers, removeSqlUser } from "./users.ts";
