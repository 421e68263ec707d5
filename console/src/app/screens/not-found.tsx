import { Link } from "@tanstack/react-router";
import { PageTitle } from "../../ui/page-title.tsx";
import { Panel } from "../../ui/panel.tsx";
import classes from "./not-found.module.css";

/** For an address that no page has. */
export const NotFound = () => (
  <>
    <PageTitle>Page not found</PageTitle>
    <Panel className={classes.panel}>
      <p>There is no page at this address. It may have been mistyped or moved.</p>
      <Link to="/" className={classes.link}>
        Go to the start page
      </Link>
    </Panel>
  </>
);
