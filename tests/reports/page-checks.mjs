/** Collects console errors, exceptions, dialogs and requests that leave the file. */
export function watch(page) {
  const watched = { errors: [], requests: [] };
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warn') watched.errors.push(message.text());
  });
  page.on('pageerror', (error) => watched.errors.push(String(error)));
  page.on('dialog', (dialog) => {
    watched.errors.push(`dialog: ${dialog.message()}`);
    dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!/^(file|data|blob):/.test(request.url())) watched.requests.push(request.url());
  });
  return watched;
}

/**
 * Texts whose contrast against what lies behind them is under 4.5 (3 for large text), WCAG 2.2 1.4.3. Text in drawings is
 * held against the page or, in a heat map, against its cell.
 */
export async function lowContrast(page) {
  return await page.evaluate(() => {
    const parse = (colour) => {
      const parts = colour.match(/[\d.]+/g)?.map(Number) ?? [0, 0, 0, 0];
      return [parts[0] ?? 0, parts[1] ?? 0, parts[2] ?? 0, parts[3] ?? 1];
    };
    const luminance = ([red, green, blue]) => {
      const channel = (value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      };
      return 0.2126 * channel(red ?? 0) + 0.7152 * channel(green ?? 0) + 0.0722 * channel(blue ?? 0);
    };
    const behind = (element) => {
      for (let node = element; node !== null; node = node.parentElement) {
        const colour = parse(getComputedStyle(node).backgroundColor);
        if (colour[3] > 0.99) return colour;
      }
      return [255, 255, 255];
    };
    /** Fill of the heat map cell a drawn text stands on. */
    const cell = (text) => {
      const box = text.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      for (const shape of text.closest('svg')?.querySelectorAll('.mark-rect path') ?? []) {
        const place = shape.getBoundingClientRect();
        if (x >= place.left && x <= place.right && y >= place.top && y <= place.bottom)
          return parse(getComputedStyle(shape).fill);
      }
      return null;
    };
    const low = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const parent = walker.currentNode.parentElement;
      const text = walker.currentNode.textContent?.trim() ?? '';
      if (parent === null || text === '' || parent.closest('script,style') !== null) continue;
      const box = parent.getBoundingClientRect();
      const style = getComputedStyle(parent);
      if (box.width === 0 || box.height === 0 || style.visibility === 'hidden' || box.left < -500) continue;
      const drawn = parent.closest('svg') !== null;
      const front = parse(drawn ? style.fill : style.color);
      const back = (drawn ? cell(parent) : null) ?? behind(parent);
      const [light, dark] = [luminance(front), luminance(back)].sort((a, b) => b - a);
      const ratio = (light + 0.05) / (dark + 0.05);
      const size = Number.parseFloat(style.fontSize);
      const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5)) low.push(`${text.slice(0, 40)} ${ratio.toFixed(2)}`);
    }
    return [...new Set(low)];
  });
}

/** How far the page is wider than the window, px, and the elements that make it so. */
export async function overflow(page) {
  return await page.evaluate(() => {
    const by = document.documentElement.scrollWidth - innerWidth;
    const elements = [...document.querySelectorAll('body *')]
      .filter(
        (element) =>
          element.getBoundingClientRect().right > innerWidth + 1 && element.closest('.scroll,.draw,svg,pre') === null,
      )
      .map((element) => `${element.tagName}.${element.className}`)
      .slice(0, 5);
    return { by, elements };
  });
}

/** Opens every folded part. */
export async function openAll(page) {
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('details')) part.open = true;
  });
}

/** Absolute addresses of every link, and every anchor. */
export async function links(page) {
  return await page.evaluate(() => ({
    links: [...document.querySelectorAll('a[href]')].map((link) => link.href),
    anchors: [...document.querySelectorAll('[id]')].map((element) => element.id),
  }));
}

/** Waits until an element has a size and stands within the window. */
export async function inView(page, id) {
  await page.waitForFunction(
    (name) => {
      const box = document.getElementById(name)?.getBoundingClientRect();
      return box !== undefined && box.height > 0 && box.top >= 0 && box.bottom <= innerHeight;
    },
    {},
    id,
  );
}

/** Presses Tab; says where the focus went: position in the document, text, and whether it shows. */
export async function tab(page) {
  await page.keyboard.press('Tab');
  return await page.evaluate(() => {
    const element = document.activeElement;
    return {
      order: [...document.querySelectorAll('*')].indexOf(element),
      text: (element.textContent ?? '').trim().slice(0, 30),
      outline: getComputedStyle(element).outlineStyle,
    };
  });
}

/** A computed style of the first element that matches. */
export async function styleOf(page, selector, property) {
  return await page.$eval(selector, (element, name) => getComputedStyle(element)[name], property);
}

/** Text of the first element that matches; null when it is hidden. */
export async function shownText(page, selector) {
  return await page.$eval(selector, (element) => (element.hidden ? null : element.textContent));
}

/** An attribute of an element. */
export async function attribute(page, element, name) {
  return await page.evaluate((found, key) => found.getAttribute(key), element, name);
}

/** Waits until a drawing was replaced by a live view. */
export async function alive(page, drawing) {
  await page.waitForFunction((element) => element.firstElementChild?.tagName === 'DIV', {}, drawing);
}

/** Moves the pointer onto the first point of a live chart and waits until the other lines fade. */
export async function highlight(page, drawing) {
  const point = await page.evaluate((element) => {
    const box = element.querySelector('.mark-symbol path').getBoundingClientRect();
    return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
  }, drawing);
  await page.mouse.move(point.x, point.y);
  await page.waitForFunction(
    (element) =>
      [...element.querySelectorAll('.mark-line path[opacity]')].some(
        (path) => Number(path.getAttribute('opacity')) < 1,
      ),
    {},
    drawing,
  );
}

/** Size and words of every chart of one kind (`wide`, `narrow`), by figure: what must not change when it comes to life. */
export async function drawn(page, kind) {
  return await page.evaluate((name) => {
    const charts = [...document.querySelectorAll(`.draw.${name}`)];
    return Object.fromEntries(
      charts.map((place) => {
        const svg = place.querySelector('svg');
        const words = [...svg.querySelectorAll('text')].map((text) => text.textContent).join('|');
        const marks = [...svg.querySelectorAll('path[role=graphics-symbol]')].map((mark) =>
          mark.getAttribute('aria-label'),
        );
        return [place.dataset.chart, [svg.getAttribute('width'), svg.getAttribute('height'), words, ...marks]];
      }),
    );
  }, kind);
}

/** Brings every chart of one kind to life. */
export async function wakeAll(page, kind) {
  await page.evaluate((name) => {
    for (const place of document.querySelectorAll(`.draw.${name}`)) place.dispatchEvent(new Event('pointerenter'));
  }, kind);
  await page.waitForFunction((name) => document.querySelector(`.draw.${name}:not([data-alive])`) === null, {}, kind);
}

/** Chooses the option with this text above a chart, by the keyboard's own event. */
export async function choose(page, figure, text) {
  const value = await page.$eval(
    `select[data-choose="${figure}"]`,
    (select, wanted) => [...select.options].find((option) => option.textContent === wanted).value,
    text,
  );
  await page.select(`select[data-choose="${figure}"]`, value);
}

/** Waits until a chart has so many marks with words; returns the words. */
export async function marksOf(page, figure, kind, count) {
  const selector = `#${figure} .draw.${kind} path[role=graphics-symbol]`;
  await page.waitForFunction(
    (place, wanted) => document.querySelectorAll(place).length === wanted,
    {},
    selector,
    count,
  );
  return await page.$$eval(selector, (marks) => marks.map((mark) => mark.getAttribute('aria-label')));
}
