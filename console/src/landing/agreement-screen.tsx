import { useEffect } from "react";
import { Link } from "../ui/router/link.tsx";
import { documentTitle } from "../ui/title.ts";
import classes from "./agreement-screen.module.css";
import { PublicBar } from "./public-bar.tsx";
import type { Agreement } from "./texts/agreement.ts";
import { privacyPolicy } from "./texts/privacy-policy.ts";
import { termsOfUse } from "./texts/terms-of-use.ts";

const Text = ({ title, lead, sections }: Agreement) => (
  <>
    <h1>{title}</h1>
    <p>{lead}</p>
    {sections.map(({ heading, paragraphs }) => (
      <section key={heading}>
        <h2>{heading}</h2>
        {paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </section>
    ))}
  </>
);

/** /agreement?type=1 is the terms of use, any other type the privacy policy. (spec 2 §2) */
export const AgreementScreen = ({ type }: { type: string | undefined }) => {
  const isTerms = type === "1";
  const agreement = (isTerms ? termsOfUse : privacyPolicy)(location.host);
  useEffect(() => {
    document.title = documentTitle(agreement.title);
  }, [agreement.title]);
  return (
    <div className={classes.page}>
      <PublicBar reloads />
      <main className={classes.text}>
        <Text {...agreement} />
        <p className={classes.other}>
          <Link to="/agreement" search={{ type: isTerms ? "2" : "1" }}>
            {isTerms ? "Privacy Policy" : "Terms of Use"}
          </Link>
        </p>
      </main>
    </div>
  );
};
