import CoreData
import Foundation

/// A rule of the model that an object breaks, taken from the error of a save.
struct BrokenRule: Hashable {
    /// The name for messages, such as `Book.title`.
    let property: String
    let reason: String

    /// Returns the broken rules; nil if the save failed for another reason.
    static func all(in error: NSError) -> [BrokenRule]? {
        let errors = error.userInfo[NSDetailedErrorsKey] as? [NSError] ?? [error]
        let rules = errors.compactMap(BrokenRule.init)
        return rules.count == errors.count ? rules : nil
    }

    private init?(_ error: NSError) {
        guard error.domain == NSCocoaErrorDomain, Self.codes.contains(error.code),
            let object = error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject,
            let key = error.userInfo[NSValidationKeyErrorKey] as? String
        else { return nil }
        property = "\(object.entity.name ?? "").\(key)"
        let text = error.localizedDescription
        reason = text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    private static let codes = NSManagedObjectValidationError...NSValidationInvalidURIError

    /// Returns a line for each rule, with the number of objects that break it.
    static func texts(_ rules: [BrokenRule]) -> [String] {
        Dictionary(grouping: rules) { $0 }.sorted {
            ($0.key.property, $0.key.reason) < ($1.key.property, $1.key.reason)
        }
        .map { rule, all in
            "\(counted(all.count, "object")): \(rule.property): \(rule.reason)"
        }
    }
}
