import { describe, expect, test } from "vitest";
import type { Call } from "./call/call.ts";
import { alerts } from "./domains/alerts.ts";
import { audit } from "./domains/audit.ts";
import { orders } from "./domains/billing.ts";
import { channels } from "./domains/channels.ts";
import { dashboards } from "./domains/dashboard/dashboards.ts";
import { devices } from "./domains/devices.ts";
import { firmware } from "./domains/firmware.ts";
import { users } from "./domains/people/users.ts";
import { downloads } from "./domains/readings/downloads.ts";
import { history } from "./domains/readings/history.ts";
import { isAllowed, type Permission, Role } from "./permissions.ts";

const everybody = Object.values(Role);
const below = (role: number) => everybody.filter((each) => each < role);
const rolesWith = (permission: Permission, isAdmin = false) =>
  everybody.filter((roleType) => isAllowed(permission, { roleType, isAdmin }));

describe("the menu table of the specification (spec 1 §6)", () => {
  test.each<[item: string, Permission, visibleTo: Role[]]>([
    ["DASHBOARD", "dashboard.read", everybody.filter((role) => role !== Role.installer)],
    ["ALERT", "alerts.read", everybody],
    ["DEVICES", "devices.list", below(Role.viewer)],
    ["USERS", "users.read", below(Role.deviceManager)],
    ["CONFIGURATION", "configuration.read", below(Role.viewer)],
    [
      "CONFIGURATION / Dashboard",
      "configuration.dashboards",
      below(Role.viewer).filter((role) => role !== Role.installer),
    ],
    ["SMS", "sms.read", [Role.owner, Role.admin]],
    ["SUPPORT", "support.read", everybody],
  ])("%s", (_item, permission, visibleTo) => {
    expect(rolesWith(permission)).toEqual(visibleTo);
  });

  test("only roleType below 3 can open the pay dialog", () => {
    expect(rolesWith("devices.pay")).toEqual(below(Role.deviceManager));
  });
});

describe("a support view (isAdmin)", () => {
  test.each<[what: string, Permission]>([
    ["closes or confirms no alert", "alerts.confirm"],
    ["pays for nothing", "devices.pay"],
    ["creates no new admin account", "accounts.create"],
    ["adds no device", "devices.add"],
    ["changes no dashboard", "dashboards.write"],
    ["updates no firmware", "firmware.write"],
    ["adds, changes and deletes no user", "users.write"],
  ])("%s", (_what, permission) => {
    expect(rolesWith(permission, true)).toEqual([]);
  });

  test("a support view reads what its user reads", () => {
    for (const permission of ["dashboard.read", "alerts.read", "devices.list", "devices.read"] as const)
      expect(rolesWith(permission, true)).toEqual(rolesWith(permission));
  });
});

const roles = (call: Call): Role[] => rolesWith(call.access as Permission);

describe("a call is open to the roles that can open its screen", () => {
  test.each<[screen: string, calls: Call[], Role[]]>([
    ["dashboard", [dashboards.tiles, dashboards.unitPart, devices.onDashboard], [1, 2, 3, 5]],
    ["alerts", [alerts.log, alerts.notifications, alerts.unconfirmed], everybody],
    ["confirming", [alerts.confirm, alerts.confirmAll], everybody],
    [
      "dashboard configuration, to look at and to change",
      [
        ...[dashboards.list, dashboards.info, dashboards.choices, dashboards.groups, dashboards.group],
        ...[dashboards.edit, dashboards.order, dashboards.setStatus, dashboards.remove],
        ...[dashboards.editGroup, dashboards.removeGroup],
      ],
      [1, 2, 3],
    ],
    ["devices", [devices.list], [1, 2, 3, 4]],
    ["device detail, which a tile or an alert leads to", [devices.detail, alerts.ofChannel], everybody],
    ["channels", [channels.grouped, channels.ofModbusDevice, channels.value], everybody],
    ["readings", [history.periods, history.chart, history.points], everybody],
    ["downloads", Object.values(downloads), [1, 2, 3, 4]],
    ["firmware, to look at", [firmware.list, firmware.detail], everybody],
    ["firmware, to update", [firmware.update], [1, 2, 3, 4]],
    ["users and audit log", [...Object.values(users), ...Object.values(audit)], [1, 2]],
    ["purchase", [orders.prices, orders.create, orders.pay, orders.settle], [1, 2]],
  ])("%s", (_screen, calls, expected) => {
    for (const call of calls) expect(roles(call), call.path).toEqual(expected);
  });
});
