import { readToken } from "../session/token.ts";
import { Button } from "../ui/control/button.tsx";
import { useLocation } from "../ui/router/hooks.ts";
import { Link } from "../ui/router/link.tsx";
import { Mark } from "../ui/status/mark.tsx";
import classes from "./public-bar.module.css";

/** Where the buttons lead: to the login page, and then to the requested page; or directly there with a session. */
export const useSignInLink = () => {
  const from = useLocation(({ state }) => state.from);
  const isSignedIn = readToken() !== undefined;
  return isSignedIn
    ? { isSignedIn, to: "/", state: {}, label: "Open the console" }
    : { isSignedIn, to: "/login", state: from === undefined ? {} : { from }, label: "Log IN" };
};

/** Links of the public pages besides the login. (spec 2 §1) */
const places = [
  { path: "/devices", label: "Devices" },
  { path: "/support", label: "Support" },
] as const;

/** A page that requires a session: without one the link leads through the login page. */
const PlaceLink = ({ path, label, reloads }: (typeof places)[number] & { reloads: boolean }) => {
  const { isSignedIn } = useSignInLink();
  const way = isSignedIn ? { to: path } : { to: "/login", state: { from: path }, title: `${label}: log in first` };
  return (
    <Link {...way} className={classes.way} reloadDocument={reloads && isSignedIn}>
      {label}
    </Link>
  );
};

interface PublicBarProps {
  /** Uses document loads for its links: only then does the server redirect phones to their own site, and not from this page. */
  reloads?: boolean;
}

/** The header of the public pages. */
export const PublicBar = ({ reloads = false }: PublicBarProps) => {
  const { to, state, label, isSignedIn } = useSignInLink();
  return (
    <header className={classes.bar}>
      <Link to="/index" className={classes.brand} reloadDocument={reloads}>
        <Mark size={30} />
        Telltale
      </Link>
      <nav className={classes.places} aria-label="Console">
        {places.map((place) => (
          <PlaceLink key={place.path} {...place} reloads={reloads} />
        ))}
      </nav>
      <nav className={classes.ways} aria-label="Account">
        {!isSignedIn && (
          <Link to="/register" className={classes.way}>
            Register
          </Link>
        )}
        <Button className={classes.login} variant="ink" component={Link} to={to} state={state} reloadDocument={reloads}>
          {label}
        </Button>
      </nav>
    </header>
  );
};
