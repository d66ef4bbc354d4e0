#if Overlay
/// The selectors that work without the Objective-C runtime: the comparisons that sort descriptors support.
enum ComparisonSelector {
    private static let methods: Set<String> = [
        "compare", "caseInsensitiveCompare", "localizedCompare", "localizedCaseInsensitiveCompare",
        "localizedStandardCompare",
    ]

    private static let owners: Set<String> = [
        "NSString", "NSNumber", "NSDecimalNumber", "NSDate", "String", "Date", "Foundation",
    ]

    /// Returns the name of the selector that `#selector` means by these names; nil for any other selector.
    static func name(of path: [String]) -> String? {
        guard let method = path.last, methods.contains(method), path.dropLast().allSatisfy(owners.contains)
        else { return nil }
        return method + ":"
    }
}
#endif
