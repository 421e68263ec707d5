import { NotificationList } from "../../features/alerts/notification-list.tsx";

/** What happened to the plant's devices. */
export const NotificationsScreen = () => <NotificationList />;
