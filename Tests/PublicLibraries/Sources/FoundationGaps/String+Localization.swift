public import Foundation

extension String {
    /// The text itself: Foundation here has no string catalogs.
    public init(localized text: String, bundle: Bundle? = nil, comment: StaticString? = nil) {
        self = text
    }
}
