import {
  type Icon,
  IconAddressBook,
  IconBellCog,
  IconDeviceDesktopCog,
  IconHistory,
  IconLayoutGridAdd,
  IconStairsUp,
  IconTransferOut,
  IconUserCog,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import { addDevicePath } from "@telltale/contract/domains/fleet/add-device-link";
import type { Needs } from "../session/session.ts";
import { loadWithRetry } from "../ui/load-with-retry.ts";
import { id, text } from "../ui/page/search.ts";
import { lazyScreen, type Screen } from "../ui/router/screen.tsx";
import { smsPage } from "./billing.ts";
import { type Page, screenWith } from "./page.ts";

const screens = () => loadWithRetry(() => import("./screens/configuration-screens.tsx"));

interface Row {
  path: string;
  title: string;
  needs: Needs;
  label: string;
  icon: Icon;
  screen: Screen;
}

/** A page of the menu group CONFIGURATION. */
const configurationPage = ({ label, icon, ...page }: Row): Page => ({
  ...page,
  menu: { label, icon, group: "CONFIGURATION" },
});

/** USERS, SMS and the group CONFIGURATION, in the menu's order. (spec 1 §2) */
export const configurationPages: readonly Page[] = [
  {
    path: "/users",
    title: "USERS",
    needs: "users.read",
    menu: { label: "USERS", icon: IconUsers },
    screen: lazyScreen(screens, "UsersScreen"),
  },
  smsPage,
  configurationPage({
    path: "/configureDashboard",
    title: "CONFIGURATION-DASHBOARD",
    needs: "configuration.dashboards",
    label: "Dashboard",
    icon: IconLayoutGridAdd,
    screen: lazyScreen(screens, "ConfigureDashboardScreen"),
  }),
  {
    path: "/dragging",
    title: "CONFIGURATION-DASHBOARD",
    needs: "dashboards.write",
    under: "/configureDashboard",
    screen: screenWith({ dashboardId: id }, screens, "DraggingScreen"),
  },
  configurationPage({
    path: "/configureAlarm",
    title: "CONFIGURATION-ALERT",
    needs: "alarms.read",
    label: "Alert",
    icon: IconBellCog,
    screen: screenWith({ tab: text, alarmId: id, add: text }, screens, "ConfigureAlarmScreen"),
  }),
  configurationPage({
    path: "/configureEscalation",
    title: "CONFIGURATION-ESCALATION",
    needs: "escalation.read",
    label: "Escalation",
    icon: IconStairsUp,
    screen: lazyScreen(() => loadWithRetry(() => import("./screens/escalation-screen.tsx")), "EscalationScreen"),
  }),
  configurationPage({
    path: "/configureAlarmNotifyUser",
    title: "CONFIGURATION-CONTACTS",
    needs: "contacts.read",
    label: "Contacts",
    icon: IconAddressBook,
    screen: lazyScreen(screens, "ConfigureContactsScreen"),
  }),
  configurationPage({
    path: "/configureWebhooks",
    title: "CONFIGURATION-WEBHOOKS",
    needs: "webhooks.read",
    label: "Webhooks",
    icon: IconWebhook,
    screen: lazyScreen(screens, "ConfigureWebhooksScreen"),
  }),
  configurationPage({
    path: "/configureBridges",
    title: "CONFIGURATION-BRIDGES",
    needs: "bridges.read",
    label: "Bridges",
    icon: IconTransferOut,
    screen: lazyScreen(screens, "ConfigureBridgesScreen"),
  }),
  configurationPage({
    path: "/configureDevices",
    title: "CONFIGURATION-DEVICE",
    needs: "configuration.read",
    label: "Devices",
    icon: IconDeviceDesktopCog,
    screen: lazyScreen(screens, "ConfigureDevicesScreen"),
  }),
  {
    path: addDevicePath,
    title: "ADD DEVICE",
    needs: "devices.add",
    under: "/configureDevices",
    screen: screenWith({ id: text }, screens, "AddDeviceScreen"),
  },
  configurationPage({
    path: "/configureProvisioning",
    title: "CONFIGURATION-PROVISIONING",
    needs: "provisioning.read",
    label: "Provisioning",
    icon: IconDeviceDesktopCog,
    screen: lazyScreen(screens, "ConfigureProvisioningScreen"),
  }),
  configurationPage({
    path: "/configureUsers",
    title: "CONFIGURATION-USER",
    needs: "users.read",
    label: "Users",
    icon: IconUserCog,
    screen: lazyScreen(screens, "ConfigureUsersScreen"),
  }),
  configurationPage({
    path: "/audit",
    title: "AUDIT LOG",
    needs: "audit.read",
    label: "Audit log",
    icon: IconHistory,
    screen: lazyScreen(screens, "AuditScreen"),
  }),
];
