/// Names of Apple's systems that sources carry and Linux lacks, as far as something stands for them.
package enum ForeignNames {
    /// Attributes that speak to the Objective-C runtime or to Xcode alone.
    package static let attributes: Set<String> = [
        "objc", "objcMembers", "IBOutlet", "IBAction", "IBInspectable", "IBDesignable", "IBSegueAction",
        "GKInspectable",
    ]

    /// What Foundation lacks here, or declares and cannot make, so that a qualified name has to lose its module.
    package static let unqualified: Set<String> = [
        "NSExpression", "NSComparisonPredicate", "ValueTransformer", "NSValueTransformerName",
        "NSSecureUnarchiveFromDataTransformer", "UndoManager",
    ]

    /// Modules whose headers are modules of their own on Apple's systems.
    package static let modulesWithHeaders: Set<String> = ["CoreData", "Foundation", "os"]

    /// The framework's name, as long, for a method that Foundation declares in another form here.
    package static func replacement(of method: String, labels: [String?]) -> String? {
        method == "urls" && labels == ["forResourcesWithExtension", "subdirectory"] ? "URLs" : nil
    }

    /// Whether a delegate of the framework's may leave a method out.
    package static func isOptionalRequirement(_ method: String, labels: [String?]) -> Bool {
        switch method {
        case "controllerWillChangeContent", "controllerDidChangeContent": labels == [nil]
        case "controller":
            [
                [nil, "didChange", "at", "for", "newIndexPath"],
                [nil, "didChange", "atSectionIndex", "for"],
                [nil, "didChangeContentWith"],
                [nil, "sectionIndexTitleForSectionName"],
            ].contains(labels)
        default: false
        }
    }

    private static let frameworkPrefixes = [
        "NSManagedObject", "NSFetch", "NSPersistent", "NSEntityDescription", "NSAttributeDescription",
        "NSAttributeType", "NSRelationshipDescription", "NSPropertyDescription", "NSMergePolicy", "NSBatch",
    ]

    /// Whether a name is one of the framework's that many sources write.
    package static func isOfFramework(_ name: String) -> Bool {
        name.hasPrefix("NS") && frameworkPrefixes.contains(where: name.hasPrefix)
    }

    /// Whether a name is one of Foundation's whose members the framework declares here.
    package static func isExtended(_ name: String) -> Bool {
        unqualified.contains(name)
            || ["NSPredicate", "NSCompoundPredicate", "NSSortDescriptor", "Selector"].contains(name)
    }

    /// Whether a name is one of Foundation's, as far as a name can tell.
    package static func isOfFoundation(_ name: String) -> Bool {
        name.hasPrefix("NS") || KnownTypes.nominal([name])?.module.hasPrefix("Foundation") == true
            || name == "NotificationCenter"
    }

    /// Modules that re-export Foundation, which is what model layers import them for, unless a package has one of that
    /// name.
    package static func modulesReexportingFoundation(besides dependencies: [String]) -> Set<String> {
        Set(["UIKit", "AppKit", "Cocoa", "WatchKit"]).subtracting(dependencies)
    }
}
