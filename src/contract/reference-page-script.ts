/**
 * The script of the reference page: search, copying, and marking the current call. The page is
 * readable without scripts.
 */
export const pageScript = `
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const root = document.documentElement;
  const search = document.getElementById('search');
  const links = all('nav a[data-for]');
  const linkOf = new Map(links.map((link) => [link.dataset.for, link]));

  const show = () => {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    let found = 0;
    for (const section of all('.endpoint')) {
      const fits = words.every((word) => section.dataset.words.includes(word));
      section.hidden = !fits;
      linkOf.get(section.id).hidden = !fits;
      if (fits) found += 1;
    }
    const shown = '.endpoint:not([hidden]), a[data-for]:not([hidden])';
    for (const group of all('.group, nav section'))
      group.hidden = group.querySelector(shown) === null;
    document.getElementById('none').hidden = found > 0;
    document.getElementById('start').hidden = words.length > 0;
  };
  search.addEventListener('input', show);
  search.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    search.value = '';
    show();
    search.blur();
  });
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || document.activeElement === search) return;
    event.preventDefault();
    search.focus();
  });

  const copied = async (button) => {
    const text = button.closest('.well').querySelector('pre').textContent;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      const range = document.createRange();
      range.selectNodeContents(button.closest('.well').querySelector('pre'));
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  };
  addEventListener('click', (event) => {
    const button = event.target.closest('.well button');
    if (button !== null) copied(button);
  });

  if (location.protocol.startsWith('http')) {
    const base = 'BASE=' + location.origin;
    for (const pre of all('.samples pre'))
      pre.textContent = pre.textContent.replace(/^BASE=.*$/m, base);
  }

  const seen = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      for (const link of links) link.classList.toggle('here', link.dataset.for === target.id);
      linkOf.get(target.id).scrollIntoView({ block: 'nearest' });
    }
  }, { rootMargin: '-10% 0px -80% 0px' });
  for (const section of all('.endpoint')) seen.observe(section);

  const keep = (scheme) => { try { localStorage.setItem('scheme', scheme); } catch {} };
  const kept = () => { try { return localStorage.getItem('scheme'); } catch { return null; } };
  if (kept() !== null) root.dataset.scheme = kept();
  document.getElementById('scheme').addEventListener('click', () => {
    const systemScheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    root.dataset.scheme = (root.dataset.scheme ?? systemScheme) === 'dark' ? 'light' : 'dark';
    keep(root.dataset.scheme);
  });
})();
`;
