/// Names that exist only on Apple's systems and that sources for Linux may contain because something replaces
/// them.
package enum ForeignNames {
    /// Attributes that only the Objective-C runtime or Xcode uses.
    package static let attributes: Set<String> = [
        "objc", "objcMembers", "IBOutlet", "IBAction", "IBInspectable", "IBDesignable", "IBSegueAction",
        "GKInspectable",
    ]

    /// Types that Foundation on Linux lacks, or declares without a usable initializer, so that their names
    /// must not be qualified with a module.
    package static let unqualified: Set<String> = [
        "NSExpression", "NSComparisonPredicate", "ValueTransformer", "NSValueTransformerName",
        "NSSecureUnarchiveFromDataTransformer", "UndoManager",
    ]

    /// Modules whose headers can be imported as separate modules on Apple's systems.
    package static let modulesWithHeaders: Set<String> = ["CoreData", "Foundation", "os"]

    /// Returns the framework's replacement for a method that Foundation declares in another form on Linux.
    /// Both names have the same length.
    package static func replacement(of method: String, labels: [String?]) -> String? {
        method == "urls" && labels == ["forResourcesWithExtension", "subdirectory"] ? "URLs" : nil
    }

    /// Returns whether a delegate of the framework may leave a method out.
    package static func isOptionalRequirement(_ method: String, labels: @autoclosure () -> [String?]) -> Bool
    {
        switch method {
        case "controllerWillChangeContent", "controllerDidChangeContent": labels() == [nil]
        case "controller":
            [
                [nil, "didChange", "at", "for", "newIndexPath"],
                [nil, "didChange", "atSectionIndex", "for"],
                [nil, "didChangeContentWith"],
                [nil, "sectionIndexTitleForSectionName"],
            ].contains(labels())
        default: false
        }
    }

    private static let frameworkPrefixes = [
        "NSManagedObject", "NSFetch", "NSPersistent", "NSEntityDescription", "NSAttributeDescription",
        "NSAttributeType", "NSRelationshipDescription", "NSPropertyDescription", "NSMergePolicy", "NSBatch",
    ]

    /// Returns whether a name is one of the framework's types or constants that begin with a common prefix.
    package static func isOfFramework(_ name: String) -> Bool {
        name.hasPrefix("NS") && frameworkPrefixes.contains(where: name.hasPrefix)
    }

    /// Returns whether a name is that of a Foundation type to which the framework adds members on Linux.
    package static func isExtended(_ name: String) -> Bool {
        unqualified.contains(name)
            || ["NSPredicate", "NSCompoundPredicate", "NSSortDescriptor", "Selector"].contains(name)
    }

    /// Returns whether a name belongs to Foundation, judging by the name alone.
    package static func isOfFoundation(_ name: String) -> Bool {
        name.hasPrefix("NS") || KnownTypes.nominal([name])?.module.hasPrefix("Foundation") == true
            || name == "NotificationCenter"
    }

    /// Returns the modules that re-export Foundation, and that model layers import for that reason. Leaves
    /// out those whose names a package uses for its own modules.
    package static func modulesReexportingFoundation(besides dependencies: [String]) -> Set<String> {
        Set(["UIKit", "AppKit", "Cocoa", "WatchKit"]).subtracting(dependencies)
    }
}
