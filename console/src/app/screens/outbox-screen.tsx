import { useEffect } from "react";
import { Outbox } from "../../features/site/outbox.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import { PublicBar } from "../landing/public-bar.tsx";
import { documentTitle } from "../title.ts";
import classes from "./outbox-screen.module.css";

/** /outbox: the mails and SMS of a demonstration, which are shown instead of sent. (decisions §6) */
export const OutboxScreen = () => {
  useEffect(() => {
    document.title = documentTitle("Outbox");
  }, []);
  return (
    <div className={classes.page}>
      <PublicBar />
      <main className={classes.list}>
        <PageTitle>Outbox</PageTitle>
        <p>A demonstration sends nothing. Mails and SMS that would have gone out stand here, for everybody to read.</p>
        <Outbox />
      </main>
    </div>
  );
};
