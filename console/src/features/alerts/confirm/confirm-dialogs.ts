/** The dialogs, loaded when the first one opens. */
export { ConfirmAlert } from "./confirm-alert.tsx";
export { ConfirmAllAlerts } from "./confirm-all-alerts.tsx";
