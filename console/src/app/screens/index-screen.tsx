import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { Mark } from "../../ui/mark.tsx";
import { AlertLife } from "../landing/alert-life.tsx";
import { Annunciator } from "../landing/annunciator.tsx";
import { Examples } from "../landing/examples.tsx";
import { Kinds } from "../landing/kinds.tsx";
import { PublicBar, useWayIn } from "../landing/public-bar.tsx";
import { documentTitle } from "../title.ts";
import classes from "./index-screen.module.css";

const Hero = () => {
  const { to, state, label, isSignedIn } = useWayIn();
  return (
    <section className={classes.hero}>
      <div>
        <h1>
          Quiet until
          <br />
          it matters.
        </h1>
        <p>
          Telltale watches the pressures, temperatures, flows, vibrations and switches on your equipment. Screens stay
          calm while values are inside their limits. When one leaves, it is on the screen within a second, and somebody
          confirms.
        </p>
        <div className={classes.ways}>
          <Button className={classes.way} component={Link} to={to} state={state}>
            {label}
          </Button>
          {!isSignedIn && (
            <Button className={classes.way} variant="default" component={Link} to="/register">
              Register with a device ID
            </Button>
          )}
        </div>
      </div>
      <Annunciator />
    </section>
  );
};

/** The public page: what the product does, and the way in. */
export const IndexScreen = () => {
  useEffect(() => {
    document.title = documentTitle("Device monitoring");
  }, []);
  return (
    <div className={classes.page}>
      <PublicBar />
      <main>
        <Hero />
        <Examples />
        <section className={classes.section}>
          <div className={classes.head}>
            <h2>One alert, three states</h2>
            <p>
              The mark loses ink at each step: solid, outlined, then a plain tick. You can tell them apart without
              colour.
            </p>
          </div>
          <AlertLife />
        </section>
        <div className={classes.plain}>
          <section className={classes.section}>
            <div className={classes.head}>
              <h2>What a device can report</h2>
              <p>
                Wireless sensor devices with analog, digital input, digital output and vibration channels, and modbus
                motor and power controllers.
              </p>
            </div>
            <Kinds />
          </section>
        </div>
      </main>
      <footer className={classes.foot}>
        <div>
          <Mark size={22} />
          <b>Telltale</b>
          <p>Monitoring for industrial equipment.</p>
          <nav aria-label="Terms">
            <Link to="/agreement" search={{ type: "1" }}>
              Terms of use
            </Link>
            <Link to="/agreement" search={{ type: "2" }}>
              Privacy policy
            </Link>
          </nav>
        </div>
      </footer>
    </div>
  );
};
