/** The dialogs, loaded when the first one opens. */

export { ShelveAlert } from "../silence/shelve-alert.tsx";
export { ConfirmAlert } from "./confirm-alert.tsx";
export { ConfirmAllAlerts } from "./confirm-all-alerts.tsx";
