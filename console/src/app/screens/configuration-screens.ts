/** The screens around users, dashboards and configuration, which load together: cut apart they would cut up what every list shares. */
export { ConfigureAlarms as ConfigureAlarmScreen } from "../../features/alarms/configure-alarms.tsx";
export { AuditLog as AuditScreen } from "../../features/audit/audit-log.tsx";
export { ConfigureContacts as ConfigureContactsScreen } from "../../features/contacts/configure-contacts.tsx";
export { ConfigureDashboards as ConfigureDashboardScreen } from "../../features/dashboards/configure/configure-dashboards.tsx";
export { ConfigureUsers as ConfigureUsersScreen } from "../../features/users/configure-users.tsx";
export { UserList as UsersScreen } from "../../features/users/user-list.tsx";
export { ConfigureDevicesScreen } from "./configure-devices-screen.tsx";
export { DraggingScreen } from "./dragging-screen.tsx";
