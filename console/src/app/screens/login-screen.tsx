import { useQueryClient } from "@tanstack/react-query";
import { Link, useLocation, useNavigate } from "@tanstack/react-router";
import type { UserInfo } from "@telltale/contract/accounts";
import { useEffect } from "react";
import { LoginForm } from "../../features/accounts/login-form.tsx";
import { landingOf } from "../../session/landing.ts";
import { openSession } from "../../session/session.ts";
import { Mark } from "../../ui/mark.tsx";
import { documentTitle } from "../title.ts";
import classes from "./login-screen.module.css";

const left = ["Pressure", "Temperature", "Humidity", "Flow", "Frequency", "Noise"];
const right = ["Vibration", "Speed", "Torque", "Displacement", "Acceleration", "Gas concentration"];

const Windows = ({ names }: { names: readonly string[] }) => (
  <div className={classes.windows}>
    {names.map((name) => (
      <div key={name}>{name}</div>
    ))}
  </div>
);

/** The mark as an annunciator panel that says what the product watches. */
const Panel = () => (
  <div className={classes.panel} aria-hidden="true">
    <div className={classes.crossbar}>
      <span>Quiet until it matters.</span>
    </div>
    <Windows names={left} />
    <div className={classes.stem} />
    <Windows names={right} />
  </div>
);

/** Signs in and goes to where the user wanted to, or to the page that fits the role. */
export const LoginScreen = () => {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const from = useLocation({ select: ({ state }) => state.from });
  useEffect(() => {
    document.title = documentTitle("Log IN");
  }, []);
  const enter = (user: UserInfo) => {
    openSession(queries, user);
    void navigate({ href: from ?? landingOf(user), replace: true });
  };
  return (
    <div className={classes.screen}>
      <div className={classes.side}>
        <header>
          <Link to="/index" className={classes.brand}>
            <Mark size={32} />
            Telltale
          </Link>
        </header>
        <main className={classes.form}>
          <LoginForm onSignedIn={enter} />
        </main>
      </div>
      <Panel />
    </div>
  );
};
