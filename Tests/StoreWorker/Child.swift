import Foundation
import Interposer

/// A piece of work in a copy of this process, which tells what came of it: nothing that goes wrong there, be
/// it a sudden death, outlasts it here. This process has one thread as long as it leaves the work to others.
struct Child {
    /// How the work ended.
    enum Ending {
        case returned(String)
        case threw(String)
        /// Where it was told to.
        case died
        case crashed(Int32)
        /// It did not end by itself.
        case hung
    }

    private let process: Int32
    private let result: Int32

    /// - Parameter work: answers with what is to be told. The process ends when it returns.
    init(_ work: () throws -> String) {
        var ends: [Int32] = [0, 0]
        precondition(pipe(&ends) == 0)
        process = interposer_fork()
        result = ends[0]
        if process == 0 {
            close(ends[0])
            let (code, text): (Int32, String)
            do {
                (code, text) = (0, try work())
            } catch {
                (code, text) = (1, Self.describe(error))
            }
            interposer_disarm()
            Array(text.utf8).withUnsafeBytes { _ = write(ends[1], $0.baseAddress, $0.count) }
            interposer_exit(code)
        }
        close(ends[1])
    }

    private static func describe(_ error: any Error) -> String {
        let cocoa = error as NSError
        guard cocoa.domain == NSCocoaErrorDomain else { return "\(error)" }
        return "\(cocoa.domain) \(cocoa.code): \(cocoa.localizedFailureReason ?? "\(cocoa)")"
    }

    /// Waits for the end; if nothing has come of the work for a minute, it counts as hung and is ended.
    func ended() -> Ending {
        var text: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var watched = pollfd(fd: result, events: Int16(POLLIN), revents: 0)
        defer { close(result) }
        while true {
            guard poll(&watched, 1, 60_000) > 0 else {
                kill(process, SIGKILL)
                waitpid(process, nil, 0)
                return .hung
            }
            let count = read(result, &buffer, buffer.count)
            if count <= 0 { break }
            text += buffer.prefix(count)
        }
        var status: Int32 = 0
        waitpid(process, &status, 0)
        let (signal, code) = (status & 0x7f, (status >> 8) & 0xff)
        let words = String(decoding: text, as: UTF8.self)
        if signal != 0 { return .crashed(signal) }
        switch code {
        case 0: return .returned(words)
        case 1: return .threw(words)
        case Int32(interposer_died): return .died
        default: return .crashed(code)
        }
    }

    /// Returns what the work answered with; any other ending ends this process.
    static func result(of what: String, _ work: () throws -> String) -> String {
        let ending = Child(work).ended()
        guard case .returned(let text) = ending else { fatalError("\(what): \(ending)") }
        return text
    }
}
