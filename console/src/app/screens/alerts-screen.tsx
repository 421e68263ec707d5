import { PageTitle } from "../../ui/page-title.tsx";

/** The alert log. */
export const AlertsScreen = () => <PageTitle>ALERT</PageTitle>;
