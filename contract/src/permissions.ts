/** `roleType` of an account. (spec 1 §6) */
export const Role = { owner: 1, admin: 2, deviceManager: 3, installer: 4, viewer: 5 } as const;
export type Role = (typeof Role)[keyof typeof Role];

/** Role labels shown on screen. */
export const roleNames: Record<Role, string> = {
  1: "Owner",
  2: "Admin",
  3: "Device manager",
  4: "Installer",
  5: "Viewer",
};

export interface Grant {
  roles: readonly Role[];
  /** A support session (`isAdmin`) and a read-only API key may read and never write. */
  kind: "read" | "write";
  /** About the person who is signed in, who alone may use it: no API key does, whatever its role. */
  isPersonal?: true;
}

const may = (roles: readonly Role[], kind: Grant["kind"]): Grant => ({ roles, kind });
const mayPersonally = (kind: Grant["kind"]): Grant => ({ roles: [1, 2, 3, 4, 5], kind, isPersonal: true });

/** Permissions by role. The server's authorization and the console's menus and buttons read this one table. (spec 1 §6, spec 2 §6) */
export const permissions = {
  "dashboard.read": may([1, 2, 3, 5], "read"),
  "alerts.read": may([1, 2, 3, 4, 5], "read"),
  "alerts.confirm": may([1, 2, 3, 4, 5], "write"),
  // Out of service is not for installers. (ISA-18.2 keeps it apart from shelving)
  "alerts.silence": may([1, 2, 3, 4], "write"),
  "alerts.outOfService": may([1, 2, 3], "write"),
  "escalation.read": may([1, 2, 3, 4], "read"),
  "plans.write": may([1, 2], "write"),
  "rosters.write": may([1, 2, 3], "write"),
  // An installer swaps only their own shifts.
  "rosters.swap": may([1, 2, 3, 4], "write"),
  "devices.list": may([1, 2, 3, 4], "read"),
  "devices.read": may([1, 2, 3, 4, 5], "read"),
  // Anyone who physically has a unit may open an account of their own for it. (spec 1 §6)
  "accounts.create": mayPersonally("write"),
  // The user's own profile: names, password, picture, sessions. A support view can read it but not change it.
  "profile.write": mayPersonally("write"),
  // API keys: a member makes keys to their own account; owner and admins see and revoke those of the plant.
  "keys.read": mayPersonally("read"),
  "keys.write": mayPersonally("write"),
  "audit.read": may([1, 2], "read"),
  "devices.lookUp": may([1, 2, 3, 4, 5], "write"),
  "devices.add": may([1, 2, 3, 4], "write"),
  "devices.pay": may([1, 2], "write"),
  // A support view may read data too; its downloads are recorded in the audit log instead of the user's history.
  "downloads.read": may([1, 2, 3, 4], "read"),
  // What comes from elsewhere stands beside what was measured.
  "readings.import": may([1, 2, 3], "write"),
  "users.read": may([1, 2], "read"),
  "users.write": may([1, 2], "write"),
  "configuration.read": may([1, 2, 3, 4], "read"),
  "configuration.dashboards": may([1, 2, 3], "read"),
  "dashboards.write": may([1, 2, 3], "write"),
  "alarms.read": may([1, 2, 3, 4], "read"),
  "alarms.write": may([1, 2, 3, 4], "write"),
  "contacts.read": may([1, 2, 3, 4], "read"),
  "contacts.write": may([1, 2, 3, 4], "write"),
  // Their addresses are secrets of other systems.
  "webhooks.read": may([1, 2], "read"),
  "webhooks.write": may([1, 2], "write"),
  // What leaves the plant, and where to.
  "bridges.read": may([1, 2], "read"),
  "bridges.write": may([1, 2], "write"),
  "devices.configure": may([1, 2, 3, 4], "write"),
  "devices.delete": may([1, 2], "write"),
  "devices.labels": may([1, 2], "read"),
  // Who holds a key can add devices to the plant.
  "provisioning.read": may([1, 2], "read"),
  "provisioning.write": may([1, 2], "write"),
  // SUPPORT is open to every role; a viewer sees the devices of its dashboard there. (spec 1 §6)
  // What is no longer kept is gone for good. (decisions §1)
  "storage.write": may([1], "write"),
  "firmware.read": may([1, 2, 3, 4, 5], "read"),
  "firmware.write": may([1, 2, 3, 4], "write"),
  "joint.read": may([1, 2, 3, 4], "read"),
  "joint.write": may([1, 2, 3, 4], "write"),
  // The user's own items in an account: watchlist and shortcuts. A support view sees those of the user it views as.
  "personal.read": may([1, 2, 3, 4, 5], "read"),
  "personal.write": may([1, 2, 3, 4, 5], "write"),
  "sms.read": may([1, 2], "read"),
  "support.read": may([1, 2, 3, 4, 5], "read"),
} satisfies Record<string, Grant>;
export type Permission = keyof typeof permissions;

/** Who asks: the role, whether in a support view, and by an API key, if one is used. */
export interface Rights {
  roleType: Role;
  isAdmin: boolean;
  key?: { isReadOnly: boolean } | undefined;
}

/** Whether this role, in a support view or not, by an API key or not, holds the permission. */
export const isAllowed = (permission: Permission, { roleType, isAdmin, key }: Rights): boolean => {
  const { roles, kind, isPersonal }: Grant = permissions[permission];
  if (key && isPersonal) return false;
  return roles.includes(roleType) && !(kind === "write" && (isAdmin || key?.isReadOnly));
};
