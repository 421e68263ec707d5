import { IconBell, IconCpu, IconLayoutDashboard } from "@tabler/icons-react";
import { lazyRouteComponent } from "@tanstack/react-router";
import { loadPart } from "../ui/load-part.ts";
import { configurationPages } from "./configuration-pages.ts";
import { memberPages } from "./member-pages.ts";
import { moneyPages } from "./money-pages.ts";
import { ownPages } from "./own-pages.ts";
import type { Page } from "./page.ts";
import { supportPage } from "./support-page.ts";

/** One row a screen: router, menu, document title and guard follow from it, in this order. */
export const pages: readonly Page[] = [
  {
    path: "/",
    title: "DASHBOARD",
    needs: "dashboard.read",
    menu: { label: "DASHBOARD", icon: IconLayoutDashboard, tab: true },
    screen: lazyRouteComponent(() => loadPart(() => import("./screens/dashboard-screen.tsx")), "DashboardScreen"),
  },
  {
    path: "/alarms",
    title: "ALERT",
    needs: "alerts.read",
    menu: { label: "ALERT", icon: IconBell, tab: true },
    screen: lazyRouteComponent(() => loadPart(() => import("./screens/alerts-screen.tsx")), "AlertsScreen"),
  },
  {
    path: "/alarms/notifications",
    title: "ALERT",
    needs: "alerts.read",
    under: "/alarms",
    screen: lazyRouteComponent(
      () => loadPart(() => import("./screens/notifications-screen.tsx")),
      "NotificationsScreen",
    ),
  },
  {
    path: "/devices",
    title: "DEVICES",
    needs: "devices.list",
    menu: { label: "DEVICES", icon: IconCpu, tab: true },
    screen: lazyRouteComponent(() => loadPart(() => import("./screens/devices-screen.tsx")), "DevicesScreen"),
  },
  {
    path: "/devicesHistory",
    title: "Download History",
    needs: "downloads.read",
    under: "/devices",
    screen: lazyRouteComponent(
      () => loadPart(() => import("./screens/download-history-screen.tsx")),
      "DownloadHistoryScreen",
    ),
  },
  {
    path: "/devicesDetail",
    title: "DEVICES",
    needs: "devices.read",
    under: "/devices",
    screen: lazyRouteComponent(
      () => loadPart(() => import("./screens/device-detail-screen.tsx")),
      "DeviceDetailScreen",
    ),
  },
  {
    path: "/configureDevicesAdd",
    title: "CONFIGURATION",
    needs: "configuration.read",
    // The list of devices leads here to read, that of CONFIGURATION to change.
    under: ({ edit }) => (edit === "no" ? "/devices" : "/configureDevices"),
    screen: lazyRouteComponent(
      () => loadPart(() => import("./screens/device-configuration-screen.tsx")),
      "DeviceConfigurationScreen",
    ),
  },
  ...moneyPages,
  ...configurationPages,
  supportPage,
  ...ownPages,
  ...memberPages,
];
