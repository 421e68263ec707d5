import { Button } from "@mantine/core";
import { Link, useLocation } from "@tanstack/react-router";
import { readToken } from "../../session/token.ts";
import { Mark } from "../../ui/mark.tsx";
import classes from "./public-bar.module.css";

/** Where the buttons lead: to the login, and from there to where the user wanted to go; or on, with a session. */
export const useWayIn = () => {
  const from = useLocation({ select: ({ state }) => state.from });
  const isSignedIn = readToken() !== undefined;
  return isSignedIn
    ? { to: "/", state: {}, label: "Open the console" }
    : { to: "/login", state: from === undefined ? {} : { from }, label: "Log IN" };
};

/** The head of the public page. */
export const PublicBar = () => {
  const { to, state, label } = useWayIn();
  return (
    <header className={classes.bar}>
      <Link to="/index" className={classes.brand}>
        <Mark size={30} />
        Telltale
      </Link>
      <Button className={classes.login} variant="ink" component={Link} to={to} state={state}>
        {label}
      </Button>
    </header>
  );
};
