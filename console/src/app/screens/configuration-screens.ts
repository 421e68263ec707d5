/** The screens around users and configuration, which load together: cut apart they would cut up what every list shares. */
export { AuditLog as AuditScreen } from "../../features/audit/audit-log.tsx";
export { ConfigureUsers as ConfigureUsersScreen } from "../../features/users/configure-users.tsx";
export { UserList as UsersScreen } from "../../features/users/user-list.tsx";
