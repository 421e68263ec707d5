export { ConfigureEscalation as EscalationScreen } from "../../features/escalation/configure-escalation.tsx";
