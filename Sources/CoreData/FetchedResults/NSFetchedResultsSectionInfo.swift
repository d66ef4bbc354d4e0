import Foundation

/// A section of the results of a fetched results controller, at the time at which it was requested.
public protocol NSFetchedResultsSectionInfo {
    /// The section's name; empty if the results have no sections.
    var name: String { get }
    /// The section's title in an index of the list; nil if it is to have none.
    var indexTitle: String? { get }
    /// The number of results in the section.
    var numberOfObjects: Int { get }
    /// The results in the section, in order.
    var objects: [Any]? { get }
}

/// The section info that controllers return.
final class FetchedResultsSection: NSFetchedResultsSectionInfo {
    private let section: ResultList<NSObject>.Section
    private weak var controller: (any ResultsControlling)?

    init(_ section: ResultList<NSObject>.Section, of controller: any ResultsControlling) {
        self.section = section
        self.controller = controller
    }

    var name: String { section.name }
    var indexTitle: String? { controller?.sectionIndexTitle(forSectionName: name) }
    var numberOfObjects: Int { section.elements.count }
    var objects: [Any]? { section.elements }
}
