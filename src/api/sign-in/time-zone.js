// Of the page that accepts an invitation: proposes the time zone that the browser is set to.
const field = document.getElementById('timezone');
const { timeZone } = Intl.DateTimeFormat().resolvedOptions();

if (field.dataset.chosen === undefined) {
  if (![...field.options].some(({ value }) => value === timeZone))
    field.prepend(new Option(timeZone, timeZone));
  field.value = timeZone;
}
