import { PageTitle } from "../../ui/page-title.tsx";

/** The live dashboard. */
export const DashboardScreen = () => <PageTitle>DASHBOARD</PageTitle>;
