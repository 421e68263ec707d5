import { AlertLog } from "../../features/alerts/alert-log.tsx";

/** The alert log. */
export const AlertsScreen = () => <AlertLog />;
