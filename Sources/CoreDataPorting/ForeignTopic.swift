#if Overlay
/// The kinds of Apple-only APIs besides Core Data that model layers use and that a developer has to replace.
package enum ForeignTopic: String, Sendable, Hashable, CaseIterable {
    case keyValueObserving = "Key-value observing"
    case combine = "Combine"
    case userInterface = "Types of user interfaces"
    case valueTransformer = "Value transformers of such types"
    case cloudKit = "CloudKit"
    case spotlight = "Spotlight"
    case logging = "The system's logging"
    case bundle = "Bundles of classes"

    package var advice: String {
        switch self {
        case .keyValueObserving:
            "observe objects by observe(_:options:changeHandler:); Linux has neither addObserver(_:forKeyPath:) nor "
                + "keyPathsForValuesAffectingValue(forKey:)"
        case .combine:
            "put it under #if canImport(Combine), or use a package that replaces it, or the contexts' notifications"
        case .userInterface:
            "put it under #if canImport(UIKit) or AppKit, and store the data, numbers or strings that it is made from"
        case .valueTransformer:
            "Linux cannot make the values: register a transformer that keeps their data, or make the attribute binary data"
        case .cloudKit:
            "stores are not mirrored: put it under #if canImport(CloudKit), and use a plain container otherwise"
        case .spotlight: "nothing is indexed: put it under #if canImport(CoreSpotlight)"
        case .logging: "put it under #if canImport(os), and log by swift-log otherwise"
        case .bundle:
            "a class's bundle has no resources on Linux: write Bundle.module under #if SWIFT_PACKAGE"
        }
    }

    init?(module: String) {
        switch module {
        case "Combine": self = .combine
        case "SwiftUI": self = .userInterface
        case "CloudKit": self = .cloudKit
        case "CoreSpotlight": self = .spotlight
        case "os", "OSLog": self = .logging
        default: return nil
        }
    }

    /// Makes the topic of a name that exists only on Apple's systems; nil for any other name.
    init?(name: String) {
        if Self.combineNames.contains(name) {
            self = .combine
        } else if name.hasPrefix("NSPersistentCloudKit") || Self.is(name, prefixed: "CK") {
            self = .cloudKit
        } else if name.hasPrefix("NSCoreDataCoreSpotlight") || name.hasPrefix("CSSearchable") {
            self = .spotlight
        } else if Self.is(name, prefixed: "UI") || Self.appKitNames.contains(name) {
            self = .userInterface
        } else {
            return nil
        }
    }

    private static let combineNames: Set<String> = [
        "AnyCancellable", "AnyPublisher", "CurrentValueSubject", "ObservableObject", "PassthroughSubject",
        "Published",
    ]

    private static let appKitNames: Set<String> = [
        "NSBezierPath", "NSColor", "NSFont", "NSImage", "NSView", "NSViewController",
    ]

    /// Returns whether a name begins with a framework's prefix: `UIColor` does, `UInt` and `UID` do not.
    private static func `is`(_ name: String, prefixed prefix: String) -> Bool {
        let rest = name.dropFirst(prefix.count).prefix(2)
        return name.hasPrefix(prefix) && rest.count == 2 && rest.first!.isUppercase && rest.last!.isLowercase
    }
}
#endif
