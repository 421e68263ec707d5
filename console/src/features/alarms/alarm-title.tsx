import type { ReactNode } from "react";
import { PageTitle } from "../../ui/page/page-title.tsx";
import { Link } from "../../ui/router/link.tsx";

/** The title of an alert's form, with the way back to the list before it. */
export const AlarmTitle = ({ children, aside }: { children: ReactNode; aside?: ReactNode }) => (
  <PageTitle aside={aside}>
    <small>
      <Link to="/configureAlarm">CONFIGURATION-ALERT</Link> /
    </small>{" "}
    {children}
  </PageTitle>
);
