import Foundation
import Testing

@testable import CoreData

@Suite("Links that do not keep alive")
struct BacklinkTests {
    private final class Target {
        let link = Backlink<Target>()
        init() { link.lead(to: self) }
    }

    @Test("A link leads to its object as long as something else holds it")
    func life() {
        var target: Target? = Target()
        let link = target!.link
        #expect(link.target === target)
        target = nil
        #expect(link.target == nil)
    }

    @Test("While its object dies a link leads nowhere")
    func dying() {
        final class Dying {
            let link = Backlink<Dying>()
            let tell: (Bool) -> Void
            init(_ tell: @escaping (Bool) -> Void) {
                self.tell = tell
                link.lead(to: self)
            }
            deinit { tell(link.target == nil) }
        }
        var answers: [Bool] = []
        _ = Dying { answers.append($0) }
        #expect(answers == [true])
    }

    @Test("A link never leads to an object that has come to lie where its own was")
    func reusedMemory() {
        let links = (0..<100).map { _ in Target().link }
        let later = (0..<1000).map { _ in Target() }
        withExtendedLifetime(later) { #expect(links.allSatisfy { $0.target == nil }) }
    }

    @Test("Who looks into a link finds no object that is dead")
    func reflection() {
        let link = Target().link
        #expect(Mirror(reflecting: link).children.allSatisfy { !($0.value is Target) })
    }

    @Test("Links may be followed while their objects die on other threads")
    func race() {
        for _ in 0..<200 {
            nonisolated(unsafe) var target: Target? = Target()
            let link = target!.link
            DispatchQueue.concurrentPerform(iterations: 3) { thread in
                if thread == 0 {
                    target = nil
                } else {
                    for _ in 0..<50 { _ = link.target?.link }
                }
            }
            #expect(link.target == nil)
        }
    }
}
