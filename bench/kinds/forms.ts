import { documentOf, person, pick, repeat, siteFooter, siteHeader } from './page-text.ts';

export function login(): string {
  return documentOf(
    'Sign in',
    `<main class="card"><h1>Welcome back</h1><p>New here? <a href="/join">Create an account</a></p><form><div><label for="user">E-mail or user name</label><input id="user" autocomplete="username" required></div>` +
      `<div><label for="secret">Password</label><input id="secret" type="password" autocomplete="current-password" required><button type="button" aria-label="Show password">👁</button></div>` +
      `<label><input type="checkbox"> Keep me signed in</label> <a href="/forgot">Forgot your password?</a><button type="submit">Sign in</button></form>` +
      `<div role="separator">or</div><button>Continue with Google</button><button>Continue with Apple</button></main>${siteFooter([['Help', 'Terms', 'Privacy', 'Contact']])}`,
  );
}

/** Many selects, switches and groups. */
export function settings(): string {
  const groups = [
    'Profile',
    'Notifications',
    'Privacy',
    'Appearance',
    'Language and region',
    'Billing',
    'Devices',
    'Advanced',
  ];
  const zones = repeat(
    60,
    (index) =>
      `<option>UTC${index - 30 >= 0 ? '+' : ''}${index - 30} ${pick(['Berlin', 'Lagos', 'Lima', 'Osaka', 'Perth'], index)} ${index}</option>`,
  );
  const field = (group: string, index: number): string => {
    const id = `${group}-${index}`.replaceAll(' ', '');
    if (index % 3 === 0)
      return `<div class="row"><label for="${id}">${pick(['Time zone', 'Home region', 'Fallback zone'], index)} of ${group.toLowerCase()}</label><select id="${id}">${zones}</select></div>`;
    if (index % 3 === 1)
      return `<div class="row"><span id="${id}l">Show ${group.toLowerCase()} hints</span><button role="switch" aria-checked="${index % 2 === 0}" aria-labelledby="${id}l"><span class="knob"></span></button></div>`;
    return `<div class="row"><label for="${id}">Label of ${group.toLowerCase()}</label><input id="${id}" value="${person(index)}"><small>At most ${20 + index} characters.</small></div>`;
  };
  const section = (group: string): string =>
    `<section aria-labelledby="${group.replaceAll(' ', '')}"><h2 id="${group.replaceAll(' ', '')}">${group}</h2>${repeat(4, (index) => field(group, index))}</section>`;
  return documentOf(
    'Settings',
    `${siteHeader('Console', ['Projects', 'Teams', 'Settings'])}<div class="row"><nav aria-label="Settings"><ul>${groups.map((group, index) => `<li><a href="#${group}"${index === 0 ? ' aria-current="true"' : ''}>${group}</a></li>`).join('')}</ul></nav>` +
      `<main><h1>Settings</h1><form>${groups.map(section).join('')}<div class="row"><button type="reset">Discard</button><button type="submit" disabled>Save changes</button></div></form></main></div>`,
  );
}

/** The third step of a wizard: step list, radio cards, several kinds of fields, an upload and a summary. */
export function wizard(): string {
  const steps = ['Your data', 'Contract', 'Cover', 'Payment', 'Summary'];
  return documentOf(
    'Household insurance: cover',
    `${siteHeader('Shelter', ['Private', 'Business', 'Claims', 'Contact'])}<main><ol aria-label="Steps">${steps.map((step, index) => `<li${index === 2 ? ' aria-current="step"' : ''}><button${index > 2 ? ' disabled' : ''}>${index + 1} ${step}</button></li>`).join('')}</ol>` +
      `<h1>Choose your cover</h1><div role="alert">The sum insured must be at least € 20,000.</div><form><fieldset><legend>Plan</legend><div class="row">${repeat(3, wizardPlan)}</div></fieldset>` +
      `<fieldset><legend>Details</legend><label for="sum">Sum insured</label><input id="sum" type="number" min="20000" value="15000" aria-invalid="true" aria-describedby="sumhint"><p id="sumhint">Between € 20,000 and € 500,000</p>` +
      `<label for="from">Begins on</label><input id="from" type="date" value="2026-12-01"><label for="size">Living space</label><input id="size" type="range" min="10" max="300" value="85"><label for="kind">Kind of building</label><select id="kind"><option>Flat</option><option>House</option><option>Farm</option></select></fieldset>` +
      `<fieldset><legend>Extras</legend>${['Bicycles', 'Glass', 'Elementary damage', 'Legal costs'].map((extra, index) => `<label><input type="checkbox"${index === 1 ? ' checked' : ''}> ${extra} (+ € ${index + 2}.50)</label>`).join('')}<label for="file">Inventory list</label><input id="file" type="file"></fieldset>` +
      `<div class="row"><button type="button">Back</button><button type="submit">Continue to payment</button></div></form><aside><h2>Summary</h2><dl><dt>Plan</dt><dd>Plus</dd><dt>Extras</dt><dd>Glass</dd><dt>Per month</dt><dd>€ 25.40</dd></dl></aside></main>`,
  );
}

const wizardPlan = (index: number): string =>
  `<label class="card"><input type="radio" name="plan"${index === 1 ? ' checked' : ''}><strong>${pick(['Basic', 'Plus', 'Premium'], index)}</strong><span>€ ${12 + index * 9}.90 per month</span><ul>${repeat(3 + index, (line) => `<li>${pick(['Breakage', 'Theft', 'Water damage', 'Abroad', 'No excess'], line)} covered</li>`)}</ul></label>`;

/** Three plans, a comparison table and expandable questions. */
export function pricing(): string {
  return documentOf(
    'Prices',
    `${siteHeader('Boards', ['Product', 'Prices', 'Docs', 'Blog'])}<main><h1>Simple prices</h1><p>Pay by month or by year. Change any time.</p><div role="radiogroup" aria-label="Billing"><button role="radio" aria-checked="true">Monthly</button><button role="radio" aria-checked="false">Yearly, 20 % off</button></div>` +
      `<div class="row">${repeat(3, pricingPlan)}</div><table><caption>All features</caption><thead><tr><th scope="col">Feature</th><th scope="col">Starter</th><th scope="col">Team</th><th scope="col">Company</th></tr></thead><tbody>${repeat(16, pricingFeature)}</tbody></table>` +
      `<h2>Questions</h2>${repeat(6, (index) => `<details${index === 0 ? ' open' : ''}><summary>${pick(['Can I cancel?', 'Is there a trial?', 'Do you offer invoices?', 'Where is my data?', 'What is a seat?', 'Are there discounts?'], index)}</summary><p>Yes. Write to us and we help within a day.</p></details>`)}</main>${siteFooter(
        [
          ['Product', 'Features', 'Changes'],
          ['Company', 'About', 'Jobs'],
          ['Legal', 'Terms', 'Privacy'],
        ],
      )}`,
  );
}

const pricingFeature = (index: number): string =>
  `<tr><th scope="row">${pick(['Projects', 'Storage', 'Support', 'Backups', 'Audit log', 'Single sign-on', 'API calls', 'Regions'], index)}</th>${repeat(3, (plan) => `<td>${(index + plan) % 3 === 0 ? '<svg role="img" aria-label="included" width="12" height="12"><path d="M1 6l3 3 6-6"/></svg>' : `${(index + 1) * (plan + 1) * 5} ${pick(['units', 'GB', 'days'], index)}`}</td>`)}</tr>`;

const pricingPlan = (index: number): string =>
  `<div class="card"><h3>${pick(['Starter', 'Team', 'Company'], index)}</h3><p><b>€ ${index * 19}</b> per seat and month</p><ul>${repeat(4, (line) => `<li><svg width="10" height="10"><path d="M1 1"/></svg> ${pick(['Unlimited readers', 'Version history', 'Guest access', 'Priority support', 'Own domain'], line + index)}</li>`)}</ul><a class="button" href="/order/${index}">${index === 2 ? 'Talk to us' : 'Start for free'}</a></div>`;
