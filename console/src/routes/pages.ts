import { IconBell, IconCpu, IconLayoutDashboard, IconLifebuoy } from "@tabler/icons-react";
import { loadPlain, loadWithRetry } from "../ui/load-with-retry.ts";
import { id, text } from "../ui/page/search.ts";
import { lazyScreen } from "../ui/router/screen.tsx";
import { memberPages } from "./account.ts";
import { billingPages } from "./billing.ts";
import { configurationPages } from "./configuration.ts";
import { type Page, screenWith } from "./page.ts";
import { toolsPages } from "./tools.ts";

/** SUPPORT in the menu, for every role. (spec 1 §6) */
const supportPage: Page = {
  path: "/support",
  title: "SUPPORT",
  needs: "support.read",
  menu: { label: "SUPPORT", icon: IconLifebuoy, tab: true },
  screen: screenWith({ tab: text }, () => loadWithRetry(() => import("./screens/support-screen.tsx")), "SupportScreen"),
};

/** Any number of at most nine digits; the server checks whether the device exists. */
const deviceIdIn = (value: unknown): number | undefined =>
  typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : undefined;

/** One row per screen: router, menu, document title and guard are derived from it, in this order. */
export const pages: readonly Page[] = [
  {
    path: "/",
    title: "DASHBOARD",
    needs: "dashboard.read",
    menu: { label: "DASHBOARD", icon: IconLayoutDashboard, tab: true },
    screen: lazyScreen(() => loadPlain(() => import("./screens/dashboard-screen.tsx")), "DashboardScreen"),
  },
  {
    path: "/alarms",
    title: "ALERT",
    needs: "alerts.read",
    menu: { label: "ALERT", icon: IconBell, tab: true },
    screen: screenWith(
      { view: text },
      () => loadPlain(() => import("../features/alerts/alert-screen.tsx")),
      "AlertScreen",
    ),
  },
  {
    path: "/alarms/detail",
    title: "ALERT",
    needs: "alerts.read",
    under: "/alarms",
    screen: screenWith(
      { alarmLogId: id },
      () => loadWithRetry(() => import("./screens/alert-entry-screen.tsx")),
      "AlertEntryScreen",
    ),
  },
  {
    path: "/alarms/silent",
    title: "ALERT",
    needs: "alerts.read",
    under: "/alarms",
    screen: lazyScreen(() => loadWithRetry(() => import("./screens/silent-screen.tsx")), "SilentScreen"),
  },
  {
    path: "/alarms/report",
    title: "ALERT",
    needs: "alarms.read",
    under: "/alarms",
    screen: screenWith(
      { month: text },
      () => loadWithRetry(() => import("../features/alerts/report/alert-report.tsx")),
      "AlertReport",
    ),
  },
  {
    path: "/alarms/notifications",
    title: "ALERT",
    needs: "alerts.read",
    under: "/alarms",
    screen: lazyScreen(
      () => loadWithRetry(() => import("../features/alerts/notifications/notification-list.tsx")),
      "NotificationList",
    ),
  },
  {
    path: "/devices",
    title: "DEVICES",
    needs: "devices.list",
    menu: { label: "DEVICES", icon: IconCpu, tab: true },
    screen: lazyScreen(() => loadPlain(() => import("./screens/devices-screen.tsx")), "DevicesScreen"),
  },
  {
    path: "/devicesHistory",
    title: "Download History",
    needs: "downloads.read",
    under: "/devices",
    screen: lazyScreen(
      () => loadWithRetry(() => import("../features/downloads/download-history.tsx")),
      "DownloadHistory",
    ),
  },
  {
    path: "/devicesDetail",
    title: "DEVICES",
    needs: "devices.read",
    under: "/devices",
    screen: lazyScreen(() => loadWithRetry(() => import("./screens/device-detail-screen.tsx")), "DeviceDetailScreen"),
  },
  {
    path: "/compare",
    title: "Compare",
    needs: "devices.read",
    under: "/devices",
    screen: lazyScreen(
      () => loadWithRetry(() => import("../features/devices/compare/compare-screen.tsx")),
      "CompareScreen",
    ),
  },
  {
    path: "/configureDevicesAdd",
    title: "CONFIGURATION",
    needs: "configuration.read",
    // The device list opens it read-only, the CONFIGURATION list for editing.
    under: ({ edit }) => (edit === "no" ? "/devices" : "/configureDevices"),
    screen: screenWith(
      { deviceId: deviceIdIn, edit: text },
      () => loadWithRetry(() => import("./screens/device-configuration-screen.tsx")),
      "DeviceConfigurationScreen",
    ),
  },
  ...billingPages,
  ...configurationPages,
  supportPage,
  ...toolsPages,
  ...memberPages,
];

/** The page of a route's path; undefined for screens without the menu. */
export const pageAt = (path: string): Page | undefined => pages.find((page) => page.path === path);
