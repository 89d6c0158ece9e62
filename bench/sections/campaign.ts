import { CAMPAIGN_RATIO, checkAtMost, verdictText } from "../run/limits.ts";
import type { BenchSection } from "../run/section.ts";
import { measureSeparately } from "../run/separate-process.ts";

export const campaign: BenchSection = {
  name: "campaign",
  about: "processor time of the cases of a campaign against single runs in one process",
  run({ effort }) {
    const cost = measureSeparately("campaign", effort === "full");
    const ratio = checkAtMost(cost.inCampaign / cost.single, CAMPAIGN_RATIO);
    const ms = (seconds: number): string => (1000 * seconds).toFixed(1);
    return {
      results: { ...cost, verdicts: { ratio } },
      verdicts: [ratio],
      text: [
        "campaign-manipulator, least processor time of several batches, the same measures each time.",
        `A case takes ${ms(cost.inCampaign)} ms, a single run from its own file ${ms(cost.single)} ms: ${verdictText(ratio, 2)}.`,
        `Without pairs a case takes ${ms(cost.alone)} ms. A single run with the changes of the case takes ${ms(cost.changed)} ms: ${(cost.inCampaign / cost.changed).toFixed(2)}.`,
      ].join("\n"),
    };
  },
};
