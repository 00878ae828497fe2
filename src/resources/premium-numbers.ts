// Numbers whose owner earns from every call and SMS: an allowed country does not cover them.

/**
 * By calling code, how their national numbers begin: premium rate, and shared cost where the caller
 * pays more than for a national call. From the `premiumRate` and `sharedCost` patterns of Google's
 * libphonenumber (https://github.com/google/libphonenumber, PhoneNumberMetadata.xml), for the
 * countries where Pager is used most. Area codes of +1 are in `phone-prefixes.ts`.
 */
const nationalPrefixes: Readonly<Record<string, string>> = {
  '+20': '900',
  '+27': '862 863 864 865 866 867 868 869 90 91 92',
  '+30': '901 909',
  '+31': '900 906 909',
  '+32': '70 90',
  '+33': '81 82 89',
  '+34': '803 806 807 901 902',
  '+351': '607 608 646 648 76',
  '+352': '900 901 905',
  '+357': '900 909',
  '+358': '600 700',
  '+359': '90',
  '+36': '90 91',
  '+370': '900 902 903 909 910',
  '+371': '90',
  '+372': '900',
  '+380': '900',
  '+381': '78 900 901 906 909',
  '+385': '60 61 64 65 69',
  '+386': '89 90',
  '+39': '144 163 164 166 178 199 89',
  '+40': '900 901 903 906',
  '+41': '900 901 906',
  '+420': '900 905 906 908 909 976',
  '+421': '900 97 98',
  '+43': '810 820 821 828 90 93',
  '+44': '70 842 843 844 845 870 871 872 873 9',
  '+45': '90',
  '+46': '900 939 944 99',
  '+47': '820 829',
  '+48': '701 703 704 706 707 708 700',
  '+49': '118 137 180 900',
  '+51': '805',
  '+52': '900',
  '+55': '300 303 500 900',
  '+57': '1900 1901 901',
  '+60': '1600',
  '+61': '190',
  '+62': '809',
  '+64': '90',
  '+65': '1900',
  '+66': '1900',
  '+7': '803 809',
  '+81': '570 990',
  '+82': '60',
  '+84': '1900',
  '+86': '160 168',
  '+90': '888 898 900',
  '+971': '900',
  '+972': '1200 190 191 199',
};

/** Such as +49900; null: the number costs what its country costs. */
export function premiumPrefixOf(number: string): string | null {
  // No calling code begins with another one.
  const of = Object.entries(nationalPrefixes).find(([code]) => number.startsWith(code));
  if (of === undefined) return null;
  const [code, prefixes] = of;
  const national = prefixes.split(' ').find((prefix) => number.startsWith(code + prefix));
  return national === undefined ? null : code + national;
}
